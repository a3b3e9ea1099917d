"""astchunk's speed over the files of a directory that it has a grammar for: astchunk_speed.py DIR"""

import os
import sys
import time

from astchunk import ASTChunkBuilder

LANGUAGES = {".py": "python", ".java": "java", ".cs": "csharp", ".ts": "typescript"}


def main(directory):
    texts = []
    for folder, _, names in os.walk(directory):
        for name in names:
            language = LANGUAGES.get(os.path.splitext(name)[1])
            if language:
                with open(os.path.join(folder, name), encoding="utf-8", errors="ignore") as file:
                    texts.append((language, file.read()))
    builders = {
        it: ASTChunkBuilder(max_chunk_size=2000, language=it, metadata_template="default") for it in LANGUAGES.values()
    }
    size, failed, start = 0, 0, time.process_time()
    for language, text in texts:
        size += len(text)
        try:
            builders[language].chunkify(text)
        except Exception:
            failed += 1
    took = time.process_time() - start
    if texts:
        print(f"astchunk: {size / 1e6 / took:.1f} MB a CPU second over {len(texts)} files, {failed} of them failed")
    else:
        print("left out: astchunk (it has no grammar for these files)")


main(sys.argv[1])
