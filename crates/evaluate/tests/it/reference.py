"""Scores cases with reference implementations: a JSON document from stdin to stdout. See reference.rs."""

import json
import re
import sys

import pytrec_eval
from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein
from sacrebleu.metrics import CHRF

STRING = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
CUTS = [1, 3, 5, 10]


def lines(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def names(text, keywords):
    """CrossCodeEval: without comments, then without strings, words that begin like an identifier."""
    text = re.sub("#.*", "", text)
    words = re.findall(r"\w+", STRING.sub("", text))
    return {it for it in words if re.match("[_a-zA-Z]", it) and it not in keywords}


def name_match(completion, truth, keywords):
    had, wanted = names(completion, keywords), names(truth, keywords)
    common = len(had & wanted)
    precision = common / len(had) if had else 0.0
    recall = common / len(wanted) if wanted else 0.0
    f1 = 2 * common / (len(had) + len(wanted)) if had or wanted else 0.0
    return precision, recall, f1


def text_scores(case, keywords):
    completion, truth = case["completion"], case["truth"]
    wanted = lines(truth)
    had = lines(completion)[: len(wanted)]
    precision, recall, f1 = name_match(completion, truth, keywords)
    return {
        "chrf": CHRF().sentence_score(completion, [truth]).score / 100,
        "exact_match": float(had == wanted),
        "edit_similarity": Levenshtein.normalized_similarity("\n".join(had), "\n".join(wanted)),
        "edit_ratio": fuzz.ratio(completion.strip(), truth.strip()) / 100,
        "name_precision": precision,
        "name_recall": recall,
        "name_f1": f1,
    }


def ranking_scores(case):
    """One query: `depth` documents in order, and the grades of the relevant ones, found or not."""
    run = {f"d{rank}": float(-rank) for rank in range(1, case["depth"] + 1)}
    relevant = {(f"d{it['rank']}" if it["rank"] else f"missing{idx}"): it["grade"] for idx, it in enumerate(case["items"])}
    cuts = ",".join(map(str, CUTS))
    measures = {f"ndcg_cut.{cuts}", f"recall.{cuts}", f"P.{cuts}", "recip_rank", "set_P", "set_recall", "set_F"}

    def evaluate(grades):
        return pytrec_eval.RelevanceEvaluator({"q": grades}, measures).evaluate({"q": run})["q"]

    graded, binary = evaluate(relevant), evaluate({it: 1 for it in relevant})
    scores = {f"graded_ndcg_{k}": graded[f"ndcg_cut_{k}"] for k in CUTS}
    for k in CUTS:
        scores[f"ndcg_{k}"] = binary[f"ndcg_cut_{k}"]
        scores[f"recall_{k}"] = binary[f"recall_{k}"]
        scores[f"precision_{k}"] = binary[f"P_{k}"]
        scores[f"acc_{k}"] = float(binary[f"recall_{k}"] == 1.0)
    scores["reciprocal_rank"] = binary["recip_rank"]
    scores["set_precision"], scores["set_recall"], scores["set_f1"] = (binary[it] for it in ("set_P", "set_recall", "set_F"))
    return scores


cases = json.load(sys.stdin)
json.dump(
    {
        "texts": [text_scores(it, set(cases["keywords"])) for it in cases["texts"]],
        "rankings": [ranking_scores(it) for it in cases["rankings"]],
    },
    sys.stdout,
)
