// SPDX-License-Identifier: GPL-3.0-or-later
// One row for each rule of the importer's families and of awkward input, beside the files of config-inputs/. Layer
// counts and sizes of the rows are worked out by hand.
#include "import_bench.h"

using namespace kvlab::test;

class TestImportFamilies : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void families_data();
    void families();
    void refusals_data();
    void refusals();
};

void TestImportFamilies::families_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("groups");
    QTest::addColumn<QString>("warned"); // empty: nothing need be
    const auto row = [](const char *name, const char *changes, const char *groups, const char *warned = "") {
        QTest::newRow(name) << configWith(changes) << QByteArray(groups) << QString::fromUtf8(warned);
    };
    const char *gqa = R"([{"kind":"full","layers":4,"kv_heads":2,"head_dim":64}])";
    const char *mha = R"([{"kind":"full","layers":4,"kv_heads":8,"head_dim":64}])";
    const char *mqa = R"([{"kind":"full","layers":4,"kv_heads":1,"head_dim":64}])";
    const char *slides = R"([{"kind":"sliding","layers":4,"kv_heads":2,"head_dim":64,"window":128}])";
    const char *half = R"([{"kind":"sliding","layers":2,"kv_heads":2,"head_dim":64,"window":128},
                           {"kind":"full","layers":2,"kv_heads":2,"head_dim":64}])";
    const char *most = R"([{"kind":"sliding","layers":3,"kv_heads":2,"head_dim":64,"window":128},
                           {"kind":"full","layers":1,"kv_heads":2,"head_dim":64}])";

    // Heads and widths
    row("null is absent", R"({"num_key_value_heads":null,"head_dim":null})", mha);
    row("zero is absent", R"({"num_key_value_heads":0,"head_dim":0})", mha);
    row("GPT-2", R"({"model_type":"gpt2","num_hidden_layers":"ABSENT","num_attention_heads":"ABSENT",
        "hidden_size":"ABSENT","num_key_value_heads":"ABSENT","n_layer":4,"n_head":8,"n_embd":512})",
        mha);
    row("MPT", R"({"model_type":"mpt","num_hidden_layers":"ABSENT","num_attention_heads":"ABSENT",
        "hidden_size":"ABSENT","num_key_value_heads":"ABSENT","n_layers":4,"n_heads":8,"d_model":512})",
        mha);
    row("DBRX", R"({"model_type":"dbrx","num_hidden_layers":"ABSENT","num_attention_heads":"ABSENT",
        "hidden_size":"ABSENT","num_key_value_heads":"ABSENT","n_layers":4,"n_heads":8,"d_model":512,
        "attn_config":{"kv_n_heads":2}})",
        gqa);
    row("MPT multi-query", R"({"num_key_value_heads":"ABSENT","attn_config":{"attn_type":"multiquery_attention"}})",
        mqa);
    row("BLOOM", R"({"model_type":"bloom","num_hidden_layers":"ABSENT","hidden_size":"ABSENT",
        "num_key_value_heads":"ABSENT","n_layer":4,"n_embed":512})",
        mha);
    row("granite code", R"({"num_key_value_heads":"ABSENT","attention_head_type":"mqa"})", mqa);
    row("Falcon old: multi_query before num_kv_heads",
        R"({"model_type":"falcon","num_key_value_heads":"ABSENT","num_kv_heads":8,"multi_query":true,
        "new_decoder_architecture":false})",
        mqa);
    row("Falcon RefinedWeb with groups", R"({"model_type":"RefinedWeb","num_key_value_heads":"ABSENT","n_head_kv":2,
        "multi_query":true})",
        gqa);
    row("Falcon without multi_query", R"({"model_type":"falcon","num_key_value_heads":"ABSENT","num_kv_heads":8,
        "multi_query":false,"new_decoder_architecture":false})",
        mha);
    row("ChatGLM without grouping", R"({"model_type":"chatglm","num_key_value_heads":"ABSENT",
        "multi_query_attention":false,"multi_query_group_num":2,"kv_channels":64})",
        mha);
    row("Step", R"({"num_key_value_heads":"ABSENT","num_attention_groups":2})", gqa);
    row("per-head width of PLaMo", R"({"num_key_value_heads":8,"hidden_size_per_head":64,"hidden_size":520})", mha);
    row("Mistral's and Llama's own params.json", R"({"model_type":"ABSENT","num_hidden_layers":"ABSENT",
        "num_attention_heads":"ABSENT","num_key_value_heads":"ABSENT","hidden_size":"ABSENT","dim":512,"n_layers":4,
        "n_heads":8,"n_kv_heads":2,"hidden_dim":1408})",
        gqa);
    row("local heads of gpt-fast", R"({"num_key_value_heads":"ABSENT","n_local_heads":2})", gqa);
    row("PLaMo's shared heads", R"({"num_key_value_heads":"ABSENT","n_shared_head":4})", gqa);
    row("XGLM", R"({"num_attention_heads":"ABSENT","num_key_value_heads":"ABSENT","hidden_size":"ABSENT",
        "attention_heads":8,"d_model":512})",
        mha);
    row("K and V differ", R"({"v_head_dim":32})",
        R"([{"kind":"full","layers":4,"kv_heads":2,"head_dim":64,"v_head_dim":32}])");
    row("uneven groups", R"({"num_key_value_heads":3})", R"([{"kind":"full","layers":4,"kv_heads":3,"head_dim":64}])",
        "evenly");
    row("DeciLM list wins", R"({"num_key_value_heads":8,"num_key_value_heads_per_layer":[2,2,2,2]})", gqa);
    row("zero in a list", R"({"num_kv_heads":[0,2,2,2]})",
        R"([{"kind":"full","layers":3,"kv_heads":2,"head_dim":64},{"kind":"none","layers":1,"reason":"0 KV heads"}])");

    // Layers
    row("two keys differ", R"({"num_layers":5})", gqa, "num_layers");
    row("a word for architectures", R"({"architectures":"LlamaForCausalLM","eos_token_id":[1,2]})", gqa);
    row("bad values in unused fields", R"({"rope_theta":"much","vocab_size":-1,"initializer_range":1e308})", gqa);
    row("layers of a list", R"({"num_hidden_layers":"ABSENT","layers_block_type":["attention","attention","attention",
        "attention"]})",
        gqa);
    row("MTP entries of a list", R"({"num_nextn_predict_layers":1,"sliding_window":128,"layer_types":[
        "sliding_attention","full_attention","sliding_attention","full_attention","full_attention"]})",
        half);
    row("LongCat has two attentions a layer", R"({"model_type":"longcat_flash","num_hidden_layers":"ABSENT",
        "num_layers":2,"kv_lora_rank":512,"qk_rope_head_dim":64})",
        R"([{"kind":"mla","layers":4,"kv_lora_rank":512,"qk_rope_head_dim":64}])");

    // Windows
    row("no window: negative", R"({"sliding_window":-1})", gqa);
    row("no window: zero", R"({"sliding_window":0})", gqa);
    row("Qwen without the flag", R"({"model_type":"qwen2","sliding_window":128,"max_window_layers":2})", gqa);
    row("Qwen all layers", R"({"model_type":"qwen2","sliding_window":128,"max_window_layers":0,
        "use_sliding_window":true})",
        slides);
    row("flag off, bad window", R"({"use_sliding_window":false,"sliding_window":128})", gqa);
    row("unknown family with a window", R"({"model_type":"newcomer","sliding_window":128})", slides, "all are taken");
    row("Gemma 2 alternates", R"({"model_type":"gemma2","sliding_window":128})", half, "class defaults");
    row("Gemma 2 without a window", R"({"model_type":"gemma2","max_position_embeddings":8192})",
        R"([{"kind":"sliding","layers":2,"kv_heads":2,"head_dim":64,"window":4096},
            {"kind":"full","layers":2,"kv_heads":2,"head_dim":64}])",
        "sliding_window");
    row("Gemma 2 with null for one", R"({"model_type":"gemma2","sliding_window":null})", gqa);
    row("Gemma 3 without a window", R"({"model_type":"gemma3_text"})", gqa, "counted as full attention");
    row("Gemma 3 with null for one", R"({"model_type":"gemma3_text","sliding_window":null})", gqa);
    row("Gemma 3 without a list", R"({"model_type":"gemma3_text","num_hidden_layers":7,"sliding_window":128})",
        R"([{"kind":"sliding","layers":6,"kv_heads":2,"head_dim":64,"window":128},
            {"kind":"full","layers":1,"kv_heads":2,"head_dim":64}])",
        "class defaults");
    row("OLMo 3", R"({"model_type":"olmo3","sliding_window":128})", most, "class defaults");
    row("Cohere layer_switch", R"({"model_type":"cohere2","sliding_window":128,"layer_switch":4})", most);
    row("EXAONE letters", R"({"model_type":"exaone4","sliding_window":128,"sliding_window_pattern":"LLLG"})", most);
    row("sliding layers without a window", R"({"layer_types":["sliding_attention","full_attention",
        "sliding_attention","full_attention"]})",
        gqa, "layer_types");
    row("words of other families", R"({"sliding_window":128,"layer_types":["local","global","sliding_window_attention",
        "attention"]})",
        half);
    row("window in the words, as long as the context", R"({"sliding_window":4096,"layer_types":["sliding_attention",
        "full_attention","sliding_attention","full_attention"]})",
        gqa);
    row("GPT-Neo", R"({"model_type":"gpt_neo","window_size":128,"attention_types":[[["global","local"],2]]})", half);
    row("MiMo", R"({"model_type":"mimo_v2_flash","num_key_value_heads":2,"head_dim":64,"v_head_dim":32,
        "sliding_window":128,"attention_chunk_size":128,"hybrid_layer_pattern":[0,1,1,1],"swa_num_key_value_heads":4,
        "swa_head_dim":96,"swa_v_head_dim":48})",
        R"([{"kind":"full","layers":1,"kv_heads":2,"head_dim":64,"v_head_dim":32},
            {"kind":"sliding","layers":3,"kv_heads":4,"head_dim":96,"v_head_dim":48,"window":128}])");
    row("Llama 4 with a list", R"({"model_type":"llama4_text","attention_chunk_size":128,"no_rope_layers":[1,1,0,0]})",
        R"([{"kind":"chunked","layers":2,"kv_heads":2,"head_dim":64,"chunk":128},
            {"kind":"full","layers":2,"kv_heads":2,"head_dim":64}])");
    row("Llama 4 with an empty list", R"({"model_type":"llama4_text","attention_chunk_size":128,"no_rope_layers":[]})",
        R"([{"kind":"chunked","layers":3,"kv_heads":2,"head_dim":64,"chunk":128},
            {"kind":"full","layers":1,"kv_heads":2,"head_dim":64}])");
    row("Llama 4, chunk as long as the context", R"({"model_type":"llama4_text","attention_chunk_size":4096})", gqa);
    row("Baichuan-M1", R"({"model_type":"baichuan_m1","sliding_window":128,"sliding_window_layers":[1,3],
        "num_swa_attention_heads":4,"num_swa_key_value_heads":4,"conv_window":2})",
        R"([{"kind":"full","layers":2,"kv_heads":2,"head_dim":64},
            {"kind":"sliding","layers":2,"kv_heads":4,"head_dim":128,"window":128},
            {"kind":"state","layers":2,"type":"kv_conv","conv_elements":256,"recurrent_elements":0},
            {"kind":"state","layers":2,"type":"kv_conv","conv_elements":1024,"recurrent_elements":0}])");

    // States
    row("Qwen3-Next by class default", R"({"model_type":"qwen3_next","head_dim":64,"linear_num_key_heads":2,
        "linear_num_value_heads":4,"linear_key_head_dim":16,"linear_value_head_dim":32,"linear_conv_kernel_dim":4})",
        R"([{"kind":"full","layers":1,"kv_heads":2,"head_dim":64},{"kind":"state","layers":3,
            "type":"gated_delta_net","conv_elements":576,"recurrent_elements":2048}])",
        "class defaults");
    row("Qwen3.5 keeps f32", R"({"model_type":"qwen3_5_text","mamba_ssm_dtype":"float32","layer_types":[
        "linear_attention","full_attention","linear_attention","full_attention"],"linear_num_key_heads":2,
        "linear_num_value_heads":4,"linear_key_head_dim":16,"linear_value_head_dim":32,"linear_conv_kernel_dim":4})",
        R"([{"kind":"full","layers":2,"kv_heads":2,"head_dim":64},{"kind":"state","layers":2,
            "type":"gated_delta_net","conv_elements":576,"recurrent_elements":2048}])");
    row("Granite H", R"({"model_type":"granitemoehybrid","layer_types":["mamba","attention","mamba","mamba"],
        "mamba_n_heads":4,"mamba_d_head":8,"mamba_d_state":16,"mamba_d_conv":4,"mamba_n_groups":2})",
        R"([{"kind":"full","layers":1,"kv_heads":2,"head_dim":64},{"kind":"state","layers":3,"type":"mamba2",
            "conv_elements":288,"recurrent_elements":512}])");
    row("Bamba: width of a head from expand", R"({"model_type":"bamba","attn_layer_indices":[2],"mamba_expand":2,
        "mamba_n_heads":16,"mamba_d_head":"auto","mamba_d_state":16,"mamba_d_conv":4,"mamba_n_groups":1})",
        R"([{"kind":"full","layers":1,"kv_heads":2,"head_dim":64},{"kind":"state","layers":3,"type":"mamba2",
            "conv_elements":3168,"recurrent_elements":16384}])");
    row("Falcon-H1: both in every layer", R"({"model_type":"falcon_h1","mamba_n_heads":4,"mamba_d_head":8,
        "mamba_d_state":16,"mamba_d_conv":4,"mamba_n_groups":1})",
        R"([{"kind":"full","layers":4,"kv_heads":2,"head_dim":64},{"kind":"state","layers":4,"type":"mamba2",
            "conv_elements":192,"recurrent_elements":512}])");
    row("Nemotron-H", R"({"model_type":"nemotron_h","num_hidden_layers":5,"hybrid_override_pattern":"M-*EM",
        "attention_head_dim":128,"mamba_num_heads":4,"mamba_head_dim":8,"ssm_state_size":16,"n_groups":2,
        "conv_kernel":4,"mamba_ssm_cache_dtype":"float32"})",
        R"([{"kind":"full","layers":1,"kv_heads":2,"head_dim":128},{"kind":"state","layers":2,"type":"mamba2",
            "conv_elements":288,"recurrent_elements":512},{"kind":"none","layers":1,"reason":"MLP layers"},
            {"kind":"none","layers":1,"reason":"MoE layers"}])");
    row("Zamba2: mamba everywhere, attention in some", R"({"model_type":"zamba2","attention_head_dim":64,
        "layers_block_type":["mamba","hybrid","mamba","hybrid"],"n_mamba_heads":4,"mamba_headdim":8,
        "mamba_d_state":16,"mamba_d_conv":4,"mamba_ngroups":1})",
        R"([{"kind":"full","layers":2,"kv_heads":2,"head_dim":64},{"kind":"state","layers":4,"type":"mamba2",
            "conv_elements":192,"recurrent_elements":512}])");
    row("Falcon-Mamba", R"({"model_type":"falcon_mamba","num_attention_heads":"ABSENT","num_key_value_heads":"ABSENT",
        "intermediate_size":1024,"state_size":16,"conv_kernel":4})",
        R"([{"kind":"state","layers":4,"type":"mamba1","conv_elements":3072,"recurrent_elements":16384}])");
    row("Mamba-2", R"({"model_type":"mamba2","num_attention_heads":"ABSENT","num_key_value_heads":"ABSENT",
        "num_heads":16,"head_dim":64,"state_size":16,"conv_kernel":4,"n_groups":1})",
        R"([{"kind":"state","layers":4,"type":"mamba2","conv_elements":3168,"recurrent_elements":16384}])");
    row("LFM2", R"({"model_type":"lfm2","conv_L_cache":3,"layer_types":["conv","short_conv","full_attention","conv"]})",
        R"([{"kind":"full","layers":1,"kv_heads":2,"head_dim":64},{"kind":"state","layers":3,"type":"short_conv",
            "conv_elements":1024,"recurrent_elements":0}])");
    row("LFM2 with indexes", R"({"model_type":"lfm2","conv_L_cache":3,"full_attn_idxs":[2]})",
        R"([{"kind":"full","layers":1,"kv_heads":2,"head_dim":64},{"kind":"state","layers":3,"type":"short_conv",
            "conv_elements":1024,"recurrent_elements":0}])");
    row("RecurrentGemma", R"({"model_type":"recurrent_gemma","num_hidden_layers":5,"attention_window_size":128,
        "block_types":["recurrent","recurrent","attention"],"lru_width":640,"conv1d_width":4})",
        R"([{"kind":"sliding","layers":1,"kv_heads":2,"head_dim":64,"window":128},{"kind":"state","layers":4,
            "type":"rg_lru","conv_elements":1920,"recurrent_elements":640}])");

    // Sharing, latents, indexers
    row("sharing switched off", R"({"use_cla":false,"cla_share_factor":2,"num_kv_shared_layers":0})", gqa);
    row("NAS blocks", R"({"num_key_value_heads":null,"block_configs":[
        {"attention":{"no_op":false,"n_heads_in_group":4,"replace_with_linear":false}},
        {"attention":{"no_op":true,"n_heads_in_group":null,"replace_with_linear":false}},
        {"attention":{"no_op":false,"n_heads_in_group":null,"replace_with_linear":true}},
        {"attention":{"no_op":false,"n_heads_in_group":8,"replace_with_linear":false,"window_length":128}}]})",
        R"([{"kind":"full","layers":1,"kv_heads":2,"head_dim":64},
            {"kind":"sliding","layers":1,"kv_heads":1,"head_dim":64,"window":128},
            {"kind":"none","layers":1,"reason":"no_op"},{"kind":"none","layers":1,"reason":"replace_with_linear"}])");
    row("latent wins over bad heads", R"({"kv_lora_rank":512,"qk_rope_head_dim":64,"num_attention_heads":"many",
        "num_key_value_heads":1.5,"head_dim":-7})",
        R"([{"kind":"mla","layers":4,"kv_lora_rank":512,"qk_rope_head_dim":64}])");
    row("latent switched off", R"({"kv_lora_rank":512,"qk_rope_head_dim":64,"use_mla":false})", gqa);
    row("latent of null", R"({"kv_lora_rank":null})", gqa);
    row("indexer on every layer", R"({"kv_lora_rank":512,"qk_rope_head_dim":64,"index_head_dim":128})",
        R"([{"kind":"mla","layers":4,"kv_lora_rank":512,"qk_rope_head_dim":64},
            {"kind":"indexer","layers":4,"index_head_dim":128,"entry_bytes":132}])");
    row("GLM-5.2 names its layers", R"({"kv_lora_rank":512,"qk_rope_head_dim":64,"index_head_dim":128,"layer_types":[
        "deepseek_sparse_attention","deepseek_sparse_attention","deepseek_sparse_attention",
        "deepseek_sparse_attention"],"indexer_types":["full","shared","shared","full"]})",
        R"([{"kind":"mla","layers":4,"kv_lora_rank":512,"qk_rope_head_dim":64},
            {"kind":"indexer","layers":2,"index_head_dim":128,"entry_bytes":132}])");
    row("sparse attention switched off", R"({"sparse_attention_config":{"use_sparse_attention":false}})", gqa);
    row("DeepSeek V4", R"({"model_type":"deepseek_v4","head_dim":512,"sliding_window":128,"index_head_dim":128,
        "compress_ratios":[4,128,0,4,0]})",
        R"([{"kind":"compressed","layers":2,"head_dim":512,"window":128,"ratio":4,"indexer_entry_bytes":256},
            {"kind":"compressed","layers":1,"head_dim":512,"window":128,"ratio":128},
            {"kind":"compressed","layers":1,"head_dim":512,"window":128,"ratio":0}])",
        "compressed");

    // Nesting
    const char *inner = R"("num_hidden_layers":4,"num_attention_heads":8,"num_key_value_heads":2,"hidden_size":512)";
    const auto nested = [&](const char *name, const char *before, const char *after) {
        QTest::newRow(name) << QByteArray(before) + inner + after << QByteArray(gqa) << QString();
    };
    nested("llm_config", R"({"model_type":"internvl","num_hidden_layers":9,"llm_config":{)", "}}");
    nested("language_config", R"({"model_type":"janus","language_config":{)", "}}");
    nested("thinker", R"({"model_type":"qwen2_5_omni","thinker_config":{"text_config":{)", "}}}");
    nested("flat beside a vision part", R"({"model_type":"qwen2_vl","vision_config":{"num_hidden_layers":99},)", "}");
    nested("empty inside", R"({"model_type":"idefics","text_config":{"model_type":"x"},)", "}");
    row("Gemma 3 4B leaves its heads to its class", R"({"model_type":"gemma3","num_hidden_layers":"ABSENT",
        "num_attention_heads":"ABSENT","num_key_value_heads":"ABSENT","hidden_size":"ABSENT","text_config":{
        "model_type":"gemma3_text","hidden_size":2560,"num_hidden_layers":34,"sliding_window":1024}})",
        R"([{"kind":"sliding","layers":29,"kv_heads":4,"head_dim":256,"window":1024},
            {"kind":"full","layers":5,"kv_heads":4,"head_dim":256}])",
        "class defaults");

    row("Gemma 2 in a larger model: 256 is no quotient", R"({"model_type":"paligemma","text_config":{
        "model_type":"gemma2","hidden_size":2304,"num_attention_heads":8,"num_key_value_heads":4,
        "num_hidden_layers":26,"sliding_window":null}})",
        R"([{"kind":"full","layers":26,"kv_heads":4,"head_dim":256}])", "class defaults");

    // Encoder and decoder
    row("T5", R"({"model_type":"t5","num_hidden_layers":"ABSENT","num_attention_heads":"ABSENT",
        "num_key_value_heads":"ABSENT","hidden_size":"ABSENT","is_encoder_decoder":true,"num_layers":3,
        "num_decoder_layers":4,"num_heads":8,"d_model":512,"d_kv":32,"max_position_embeddings":"ABSENT",
        "n_positions":512})",
        R"([{"kind":"full","layers":4,"kv_heads":8,"head_dim":32},
            {"kind":"cross","layers":4,"kv_heads":8,"head_dim":32,"encoder_tokens":512}])",
        "encoder");
    row("T5 without own decoder layers", R"({"model_type":"t5","num_hidden_layers":"ABSENT",
        "num_key_value_heads":"ABSENT","is_encoder_decoder":true,"num_layers":4,"num_decoder_layers":null,"d_kv":32})",
        R"([{"kind":"full","layers":4,"kv_heads":8,"head_dim":32},
            {"kind":"cross","layers":4,"kv_heads":8,"head_dim":32,"encoder_tokens":4096}])");
    row("distilled Whisper counts its decoder", R"({"model_type":"whisper","num_hidden_layers":32,
        "num_key_value_heads":"ABSENT","encoder_layers":32,"decoder_layers":2,"decoder_attention_heads":4,
        "hidden_size":"ABSENT","d_model":256,"max_source_positions":1500,"max_target_positions":448})",
        R"([{"kind":"full","layers":2,"kv_heads":4,"head_dim":64},
            {"kind":"cross","layers":2,"kv_heads":4,"head_dim":64,"encoder_tokens":1500}])");
}

void TestImportFamilies::families()
{
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, groups);
    QFETCH(QString, warned);
    const ImportResult result = import(json);
    QVERIFY2(std::holds_alternative<ImportedModel>(result),
        qPrintable(std::holds_alternative<Refusal>(result) ? std::get<Refusal>(result).message : QString()));
    const auto &imported = std::get<ImportedModel>(result);
    QCOMPARE(groupTexts(cachesToJson(imported.model.caches)), groupTexts(QJsonDocument::fromJson(groups).array()));
    if (!warned.isEmpty())
        QVERIFY(isWarnedAbout(imported, warned));
}

void TestImportFamilies::refusals_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("named");
    const auto raw = [](const char *name, const QByteArray &json, const char *reason, const char *named) {
        QTest::newRow(name) << json << QString::fromLatin1(reason) << QString::fromUtf8(named);
    };
    const auto row = [&raw](const char *name, const char *changes, const char *reason, const char *named) {
        raw(name, configWith(changes), reason, named);
    };
    row("text", R"({"hidden_size":"512"})", "wrong_type", "hidden_size");
    row("true", R"({"num_attention_heads":true})", "wrong_type", "num_attention_heads");
    row("fraction", R"({"num_hidden_layers":4.5})", "wrong_type", "num_hidden_layers");
    row("list", R"({"num_hidden_layers":[4]})", "wrong_type", "num_hidden_layers");
    row("object", R"({"hidden_size":{}})", "wrong_type", "hidden_size");
    row("negative", R"({"head_dim":-64})", "out_of_range", "head_dim");
    row("huge", R"({"num_key_value_heads":1e30})", "out_of_range", "num_key_value_heads");
    row("too many layers", R"({"num_hidden_layers":100001})", "out_of_range", "num_hidden_layers");
    row("too wide", R"({"head_dim":1000001})", "out_of_range", "head_dim");
    row("bad window", R"({"model_type":"mistral","sliding_window":"128"})", "wrong_type", "sliding_window");
    row("bad flag", R"({"use_sliding_window":1,"sliding_window":128})", "wrong_type", "use_sliding_window");
    row("bad context", R"({"max_position_embeddings":"4k"})", "wrong_type", "max_position_embeddings");
    raw("infinite", R"({"num_hidden_layers":Infinity,"num_attention_heads":8,"hidden_size":512})", "not_a_number",
        "num_hidden_layers");
    raw("beyond a double", R"({"num_hidden_layers":1e999,"num_attention_heads":8,"hidden_size":512})", "out_of_range",
        "num_hidden_layers");
    raw("beyond 64 bits", R"({"num_hidden_layers":99999999999999999999,"num_attention_heads":8,"hidden_size":512})",
        "out_of_range", "num_hidden_layers");
    row("no heads", R"({"num_attention_heads":"ABSENT","num_key_value_heads":"ABSENT","head_dim":64})", "field_missing",
        "num_attention_heads");
    row("no layers", R"({"num_hidden_layers":"ABSENT"})", "field_missing", "num_hidden_layers");
    row("no hidden", R"({"hidden_size":"ABSENT"})", "head_dim_needed", "hidden_size");
    row("latent without its rope part", R"({"kv_lora_rank":512})", "field_missing", "qk_rope_head_dim");

    row("unknown word", R"({"layer_types":["attention","attention","spiral","attention"]})", "unknown_layer_kind",
        "spiral");
    row("not words", R"({"layer_types":[1,2,3,4]})", "wrong_type", "layer_types");
    row("unknown letter", R"({"hybrid_override_pattern":"M*X-"})", "unknown_layer_kind", "X");
    row("unknown number", R"({"attn_type_list":[0,1,2,1],"model_type":"minimax"})", "out_of_range", "attn_type_list");
    row("unknown indexer", R"({"kv_lora_rank":512,"qk_rope_head_dim":64,"index_head_dim":128,
        "indexer_types":["full","spiral","full","full"]})",
        "unknown_layer_kind", "spiral");
    row("linear attention of an unknown kind", R"({"layer_types":["linear_attention","full_attention",
        "full_attention","full_attention"]})",
        "unknown_layer_kind", "linear_attention");
    row("state keys without a rule", R"({"mamba_d_state":16})", "unknown_layer_kind", "mamba_d_state");
    row("family without a rule", R"({"model_type":"rwkv7"})", "unknown_layer_kind", "rwkv7");
    row("indexer beside ordinary attention", R"({"index_head_dim":128})", "unknown_layer_kind", "index_head_dim");
    row("MiniMax-M3's sparse attention", R"({"model_type":"minimax_m3","sparse_attention_config":{
        "use_sparse_attention":true,"sparse_index_dim":128}})",
        "unknown_layer_kind", "sparse_attention_config");
    row("latent with a window", R"({"model_type":"mistral","kv_lora_rank":512,"qk_rope_head_dim":64,
        "sliding_window":128})",
        "unknown_layer_kind", "kv_lora_rank");
    row("mamba block", R"({"block_configs":[{"attention":{"mamba":{}}},{"attention":{"n_heads_in_group":4}},
        {"attention":{"n_heads_in_group":4}},{"attention":{"n_heads_in_group":4}}]})",
        "unknown_layer_kind", "mamba");

    row("short list", R"({"num_kv_heads":[2,2,2]})", "list_length_mismatch", "num_kv_heads");
    row("long list", R"({"layer_types":["attention","attention","attention","attention","attention"]})",
        "list_length_mismatch", "layer_types");
    row("empty list", R"({"layer_types":[]})", "list_length_mismatch", "layer_types");
    row("short pattern", R"({"hybrid_override_pattern":"M*"})", "list_length_mismatch", "hybrid_override_pattern");
    row("ratios", R"({"head_dim":512,"sliding_window":128,"compress_ratios":[4,4,4,4,4]})", "list_length_mismatch",
        "compress_ratios");
    row("indexers", R"({"kv_lora_rank":512,"qk_rope_head_dim":64,"index_head_dim":128,"indexer_types":["full"]})",
        "list_length_mismatch", "indexer_types");
    row("blocks", R"({"block_configs":[{"attention":{"n_heads_in_group":4}}]})", "list_length_mismatch",
        "block_configs");
    row("layer in both lists", R"({"kv_lora_rank":512,"qk_rope_head_dim":64,"linear_attn_config":{
        "full_attn_layers":[1,2],"kda_layers":[2,3,4],"num_heads":2,"head_dim":8,"short_conv_kernel_size":4}})",
        "list_length_mismatch", "linear_attn_config");
    row("layer outside", R"({"linear_attn_config":{"full_attn_layers":[1,2,5],"kda_layers":[3,4],"num_heads":2,
        "head_dim":8,"short_conv_kernel_size":4}})",
        "list_length_mismatch", "linear_attn_config");
    row("index outside", R"({"cross_attention_layers":[4]})", "out_of_range", "cross_attention_layers");
    row("all layers shared", R"({"num_kv_shared_layers":4})", "out_of_range", "num_kv_shared_layers");
    row("group that does not divide", R"({"block_configs":[{"attention":{"n_heads_in_group":3}},
        {"attention":{"n_heads_in_group":4}},{"attention":{"n_heads_in_group":4}},
        {"attention":{"n_heads_in_group":4}}]})",
        "out_of_range", "n_heads_in_group");
    row("state beyond all measure", R"({"model_type":"falcon_h1","mamba_n_heads":1000000,"mamba_d_head":1000000,
        "mamba_d_state":1000000,"mamba_d_conv":4,"mamba_n_groups":1})",
        "out_of_range", "mamba_d_conv");

    row("CLIP", R"({"model_type":"clip","text_config":{"model_type":"clip_text_model","num_hidden_layers":12,
        "num_attention_heads":8,"hidden_size":512}})",
        "no_decoder_cache", "clip");
    row("BERT", R"({"model_type":"bert"})", "no_decoder_cache", "bert");
    row("masked language model", R"({"model_type":"newcomer","architectures":["NewcomerForMaskedLM"]})",
        "no_decoder_cache", "newcomer");
    raw("adapter", R"({"peft_type":"LORA","r":16})", "no_decoder_cache", "num_hidden_layers");
    raw("nothing", "{}", "no_decoder_cache", "decoder");
    raw("null", "null", "not_an_object", "object");
    raw("a number", "7", "not_an_object", "object");
    raw("white space", " \n\t ", "empty_file", "empty");
    raw("byte order mark alone", "\xEF\xBB\xBF", "empty_file", "empty");
    raw("comment", "{ // layers\n\"num_hidden_layers\":4}", "json_syntax", "line 1");
    raw("single quotes", "{'num_hidden_layers':4}", "json_syntax", "line 1");
    raw("cut off", R"({"num_hidden_layers":4,"num_att)", "json_syntax", "line 1");
    raw("two objects", "{}\n{}", "json_syntax", "line 2");
    raw("YAML", "num_hidden_layers: 4", "json_syntax", "line 1");
    raw("zero byte", QByteArray("{}\0{}", 5), "json_syntax", "zero byte");
    raw("UTF-16", QByteArray("\xFF\xFE{\0}\0", 6), "invalid_encoding", "UTF-8");
}

void TestImportFamilies::refusals()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, reason);
    QFETCH(QString, named);
    const ImportResult result = import(json);
    QVERIFY(std::holds_alternative<Refusal>(result));
    QCOMPARE(std::get<Refusal>(result).reason, reason);
    QVERIFY2(std::get<Refusal>(result).message.contains(named), qPrintable(std::get<Refusal>(result).message));
}

QTEST_GUILESS_MAIN(TestImportFamilies)
#include "tst_import_families.moc"
