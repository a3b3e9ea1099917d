"""LiteLLM as a client of `foreword serve`, through its providers for OpenAI's, Mistral's and Ollama's protocols.

Usage: litellm_calls.py URL REQUEST, where REQUEST is JSON with prompt, suffix and the text that is expected. Streams of
its provider for Mistral are left out: LiteLLM 1.106 fails on every server's.
"""

import json
import os
import sys

# Its list of prices is then not fetched.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
import litellm

url, request = sys.argv[1], json.loads(sys.argv[2])
litellm.suppress_debug_info = True
asked = {"prompt": request["prompt"], "suffix": request["suffix"], "max_tokens": 32, "api_key": "none"}
providers = {
    "text-completion-openai/m": f"{url}/v1",
    "hosted_vllm/m": f"{url}/v1",
    "text-completion-codestral/codestral-latest": f"{url}/v1/fim/completions",
}


def check(what, text):
    assert text == request["expected"], (what, text)


for model, base in providers.items():
    answer = litellm.text_completion(model=model, api_base=base, **asked)
    check(model, answer.choices[0].text)
    if "codestral" not in model:
        chunks = litellm.text_completion(model=model, api_base=base, stream=True, **asked)
        check(f"{model} stream", "".join(it.choices[0].text or "" for it in chunks))

# It sends Ollama no suffix, and the prompt as a conversation would have it.
asked = {"messages": [{"role": "user", "content": request["prompt"]}], "max_tokens": 32}
answer = litellm.completion(model="ollama/m", api_base=url, **asked).choices[0].message.content
assert answer, "ollama"
chunks = litellm.completion(model="ollama/m", api_base=url, stream=True, **asked)
assert "".join(it.choices[0].delta.content or "" for it in chunks) == answer

for model in ["text-completion-openai/m", "ollama/m"]:
    try:
        litellm.text_completion(model=model, api_base=f"{url}/nothing", api_key="none", prompt="x", num_retries=0)
        raise AssertionError("no such path, and no error")
    except (litellm.exceptions.APIConnectionError, litellm.exceptions.NotFoundError) as error:
        assert "there is nothing at /nothing/" in str(error), error

print("done")
