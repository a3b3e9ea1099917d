"""OpenAI's Python SDK as a client that asks `foreword serve` a question.

Usage: chat_sdk.py URL
"""

import sys

import openai

client = openai.OpenAI(base_url=f"{sys.argv[1]}/v1", api_key="none", max_retries=0)
messages = [{"role": "user", "content": "what does restock do?"}]
answer = client.chat.completions.create(model="foreword", messages=messages)
text = answer.choices[0].message.content
assert "[1] shop/stock.py:" in text and answer.choices[0].finish_reason == "stop", answer
chunks = list(client.chat.completions.create(model="foreword", messages=messages, stream=True))
streamed = "".join(it.choices[0].delta.content or "" for it in chunks if it.choices)
assert streamed == text, streamed
assert chunks[-1].choices[0].finish_reason == "stop", chunks[-1]
usage = answer.usage
assert usage.prompt_tokens > 0 and usage.total_tokens == usage.prompt_tokens + usage.completion_tokens, usage
options = {"include_usage": True}
chunks = list(client.chat.completions.create(model="foreword", messages=messages, stream=True, stream_options=options))
assert chunks[-1].choices == [] and chunks[-1].usage == usage, chunks[-1]
try:
    client.chat.completions.create(model="foreword", messages=[])
    raise AssertionError("no question, and no error")
except openai.BadRequestError as error:
    assert "messages" in str(error), error
print("done")
