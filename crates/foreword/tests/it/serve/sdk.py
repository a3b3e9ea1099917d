"""The Python SDKs of OpenAI, Ollama and Mistral as clients of `foreword serve`.

Usage: sdk.py URL REQUEST, where REQUEST is JSON with prompt, suffix and the text that is expected.
"""

import json
import sys
import time

import ollama
import openai
from mistralai.client import Mistral
from mistralai.client.errors import SDKError

url, request = sys.argv[1], json.loads(sys.argv[2])
prompt, suffix, expected = request["prompt"], request["suffix"], request["expected"]


def check(what, text):
    assert text == expected, (what, text)


client = openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
assert [it.id for it in client.models.list()]
asked = {"model": "m", "prompt": prompt, "suffix": suffix, "max_tokens": 32}
answer = client.completions.create(**asked)
check("openai", answer.choices[0].text)
assert answer.usage.total_tokens >= 0 and answer.choices[0].finish_reason == "stop", answer
chunks = list(client.completions.create(**asked, stream=True))
check("openai stream", "".join(it.choices[0].text for it in chunks if it.choices))
try:
    client.post("/completions", body={}, cast_to=object)
    raise AssertionError("no prompt, and no error")
except openai.BadRequestError as error:
    assert "prompt" in str(error), error

# A conversation without a server that has them is refused at once: the library would ask again.
began = time.monotonic()
try:
    openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=5).chat.completions.create(
        model="m", messages=[{"role": "user", "content": "hello"}]
    )
except openai.InternalServerError as error:
    assert error.status_code == 501 and time.monotonic() - began < 1.5, (error, time.monotonic() - began)

deepseek = openai.OpenAI(base_url=f"{url}/beta", api_key="none", max_retries=0)
check("deepseek", deepseek.completions.create(**asked).choices[0].text)

client = ollama.Client(host=url)
names = [it.model for it in client.list().models]
assert names and client.show(names[0]).template, names
assert client.ps().models
asked = {"model": names[0], "prompt": prompt, "suffix": suffix, "options": {"num_predict": 32}}
answer = client.generate(**asked)
check("ollama", answer.response)
assert answer.done and answer.created_at, answer
check("ollama stream", "".join(it.response for it in client.generate(**asked, stream=True)))

# Its error is a text, which the library shows as it is.
try:
    ollama.Client(host=f"{url}/nothing").generate(model="m", prompt=prompt)
    raise AssertionError("no such path, and no error")
except ollama.ResponseError as error:
    assert error.error.startswith("there is nothing at /nothing/") and error.status_code == 404, error
# Neither raw nor a suffix: a text to be continued. Without a prompt a model is loaded.
assert client.generate(model=names[0], prompt=prompt).done
assert client.generate(model=names[0]).done

with Mistral(api_key="none", server_url=f"{url}/nothing") as client:
    try:
        client.fim.complete(model="m", prompt=prompt)
        raise AssertionError("no such path, and no error")
    except SDKError as error:
        assert error.status_code == 404 and '"object":"error"' in error.body, error

with Mistral(api_key="none", server_url=url) as client:
    asked = {"model": "m", "prompt": prompt, "suffix": suffix, "max_tokens": 32}
    check("mistral", client.fim.complete(**asked).choices[0].message.content)
    parts = [it.data.choices[0].delta.content for it in client.fim.stream(**asked)]
    check("mistral stream", "".join(parts))

print("done")
