"""Makes a Model2Vec model of random numbers in the shape of potion-code (30,000 × 256): random_model.py CORPUS TARGET

The vocabulary is trained on the corpus, so that texts come apart into about as many tokens as by the real one.
"""

import os
import sys

import numpy as np
from model2vec import StaticModel
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers


def is_text(path):
    try:
        open(path, encoding="utf-8").read()
    except (OSError, UnicodeDecodeError):
        return False
    return True


def main(corpus, target):
    files = [os.path.join(a, it) for a, _, names in os.walk(corpus) if ".git" not in a for it in names]
    files = sorted(it for it in files if is_text(it))[:400]
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=30000, special_tokens=["[PAD]", "[UNK]"], show_progress=False)
    tokenizer.train(files, trainer)
    vectors = np.random.default_rng(1).standard_normal((tokenizer.get_vocab_size(), 256), dtype=np.float32)
    StaticModel(vectors, tokenizer).save_pretrained(target)


main(*sys.argv[1:3])
