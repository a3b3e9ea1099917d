"""Makes a tiny model with random weights and the special tokens of Qwen2.5-Coder, and serves it with a real llama.cpp
server on the port that is given, until stdin closes. What it writes is noise; what it reads is what a test looks at. A model
whose file's name begins with `embedding` embeds texts instead.

Usage: llama_cpp.py MODEL_FILE PORT, or llama_cpp.py --models DIR for a folder of such models and of files that are no
good, without a server. Prints `ready`, or `missing MODULE` where a package is not installed.
"""

import os
import sys

# The state of a slot then has the prompt that was evaluated.
os.environ["LLAMA_SERVER_SLOTS_DEBUG"] = "1"

try:
    import gguf
    import numpy as np
    import xllamacpp
except ModuleNotFoundError as error:
    print(f"missing {error.name}")
    sys.exit()

SPECIALS = [
    "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>",
    "<|repo_name|>", "<|file_sep|>",
]
WIDTH, LAYERS, HEADS, CONTEXT = 32, 1, 2, 8192

# The tokens of letters, digits and signs: what is written of them alone is text, which noise seldom is.
ASCII = range(0x7F - 0x21)


def byte_letters():
    """The letters by which byte-level tokenizers spell bytes (after GPT-2)."""
    shown = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [it for it in range(256) if it not in shown]
    return [chr(it) for it in shown] + [chr(256 + at) for at in range(len(hidden))]


def make(path, name="tiny-qwen2.5-coder", context=CONTEXT, vocabulary=None, more=None, weights=True, ends=True, likely=None):
    """`more` adds metadata; without `weights` the file has a vocabulary and nothing else; what never `ends` writes on. Only
    `likely` tokens are written, if they are named, unless a grammar forces others."""
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name(name)
    writer.add_context_length(context)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(2 * WIDTH)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    size = (vocabulary or bytes_and_marks)(writer)
    writer.add_vocab_size(size)
    if more:
        more(writer)
    if weights:
        add_weights(writer, size, likely or range(size if ends else size - len(SPECIALS)))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def bytes_and_marks(writer):
    """A token for every byte, and the special ones."""
    tokens = byte_letters() + SPECIALS
    types = [gguf.TokenType.NORMAL] * 256 + [gguf.TokenType.CONTROL] * len(SPECIALS)
    number = {token: at for at, token in enumerate(tokens)}
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    # A list of merges must not be empty.
    writer.add_token_merges(["a b"])
    writer.add_eos_token_id(number["<|endoftext|>"])
    writer.add_bos_token_id(number["<|endoftext|>"])
    writer.add_add_bos_token(False)
    for name in ["prefix", "suffix", "middle"]:
        writer.add_uint32(f"tokenizer.ggml.fim_{name[:3]}_token_id", number[f"<|fim_{name}|>"])
    return len(tokens)


def pieces_and_marks(writer):
    """A small vocabulary of SentencePiece, with the marks of Code Llama, each with a space before it."""
    kind = gguf.TokenType
    tokens = [("<unk>", kind.UNKNOWN), ("<s>", kind.CONTROL), ("</s>", kind.CONTROL)]
    tokens += [(f"<0x{byte:02X}>", kind.BYTE) for byte in range(256)]
    tokens += [(it, kind.NORMAL) for it in ["\u2581", "x", "y", "=", "\u2581x", "\u2581=", "\u2581y"]]
    tokens += [(f"\u2581{it}", kind.CONTROL) for it in ["<PRE>", "<SUF>", "<MID>", "<EOT>"]]
    writer.add_tokenizer_model("llama")
    writer.add_token_list([it for it, _ in tokens])
    # Later pieces are better, so that longer ones are made.
    scores = [float(at) if kind is gguf.TokenType.NORMAL else 0.0 for at, (_, kind) in enumerate(tokens)]
    writer.add_token_scores(scores)
    writer.add_token_types([kind for _, kind in tokens])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_bos_token(True)
    return len(tokens)


def add_weights(writer, size, likely):
    random = np.random.default_rng(7)

    def tensor(name, *shape):
        writer.add_tensor(name, (random.standard_normal(shape) * 0.05).astype(np.float32))

    tensor("token_embd.weight", size, WIDTH)
    writer.add_tensor("output_norm.weight", np.ones(WIDTH, np.float32))
    output = (random.standard_normal((size, WIDTH)) * 0.05).astype(np.float32)
    # The likeliest of so many is likelier than what has no weight at all.
    output[[it for it in range(size) if it not in likely]] = 0
    writer.add_tensor("output.weight", output)
    for layer in range(LAYERS):
        at = f"blk.{layer}"
        for norm in ["attn_norm", "ffn_norm"]:
            writer.add_tensor(f"{at}.{norm}.weight", np.ones(WIDTH, np.float32))
        for name in ["attn_q", "attn_k", "attn_v", "attn_output"]:
            tensor(f"{at}.{name}.weight", WIDTH, WIDTH)
        for name in ["ffn_gate", "ffn_up"]:
            tensor(f"{at}.{name}.weight", 2 * WIDTH, WIDTH)
        tensor(f"{at}.ffn_down.weight", WIDTH, 2 * WIDTH)


def pooled(writer):
    """What says of a model that it embeds texts."""
    writer.add_pooling_type(gguf.PoolingType.MEAN)


def make_all(directory):
    """Models by the names that tests know them by."""

    def path(name):
        return os.path.join(directory, f"{name}.gguf")

    make(path("qwen2.5-coder-tiny"))
    make(path("endless"), ends=False)
    make(path("nameless"), name="tiny")
    make(path("codellama-tiny"), name="tiny-codellama-7b", vocabulary=pieces_and_marks)
    make(path("short"), context=256)
    make(path("vocabulary"), weights=False)
    make(path("embedding"), more=pooled)
    make(path("short-embedding"), context=64, more=pooled)
    make(path("adapter"), more=lambda it: it.add_type("adapter"))


def is_embedder(path):
    return os.path.basename(path).startswith("embedding")


def serve(path, port):
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.n_gpu_layers = 0
    params.warmup = False
    params.embedding = is_embedder(path)
    server = xllamacpp.Server(params)
    print("ready", flush=True)
    sys.stdin.read()
    return server


if __name__ == "__main__":
    if sys.argv[1] == "--models":
        make_all(sys.argv[2])
        print("ready")
        sys.exit()
    is_ascii = os.path.basename(sys.argv[1]).startswith("ascii")
    make(sys.argv[1], likely=ASCII if is_ascii else None, more=pooled if is_embedder(sys.argv[1]) else None)
    serve(sys.argv[1], int(sys.argv[2]))
