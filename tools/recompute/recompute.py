#!/usr/bin/env python3
"""recompute.py FILE.json... computes b_eff and b_eff_io from the samples of result documents, and compares them with
the documents' figures. It shares no code with beff: these are the formulas of Rabenseifner and Koniges (LNCS 2131,
2001), Sec. 3 and 4, and of release 2.1 of b_eff_io. It ends with 1 if a figure differs by more than 1e-9."""
import gzip
import json
import math
import sys


def logavg(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def b_eff(result, samples):
    """logavg(logavg of the rings, logavg of the randoms), each sum over L / 21 of the maximum over methods and
    repetitions."""
    best = {}
    for s in samples:
        pattern = result["patterns"][s["pattern"]]
        bandwidth = result["lengths"][s["length"]] * pattern["messages"] * s["loops"] / s["seconds"]
        key = s["pattern"], s["length"]
        best[key] = max(best.get(key, 0), bandwidth)
    averages = {"ring": [], "random": [], "detail": []}
    for i, pattern in enumerate(result["patterns"]):
        lengths = [best[i, l] for l in range(len(result["lengths"])) if (i, l) in best]
        if pattern["kind"] != "detail":
            averages[pattern["kind"]].append(sum(lengths) / 21)
    return logavg([logavg(averages["ring"]), logavg(averages["random"])])


TYPES = ["scatter", "shared", "separated", "segmented", "seg_coll"]


def of_type(result, samples, files, access, kind):
    """Bytes by the time from open to close, of the first pass; the last close counts, because it removes the file."""
    mine = [s for s in samples if s["access"] == access and s.get("pass", 0) == 0 and
            TYPES[result["patterns"][s["pattern"]]["type"]] == kind]
    times = [f for f in files if f["access"] == access and f["type"] == kind]
    first = [f["open"] for f in times if f.get("pass", 0) == 0]
    seconds = sum(s["seconds"] for s in mine) + sum(first) + times[-1]["close"]
    return sum(s["bytes"] for s in mine) / seconds


def of_partition(result, samples, files):
    """b_eff_io of a partition by the paper and by release 2.1."""
    mean, each = {}, {}
    for access in ["write", "rewrite", "read"]:
        kinds = TYPES if access != "rewrite" or result["rewrite_all"] else TYPES[:1]
        values = [of_type(result, samples, files, access, kind) for kind in kinds]
        each[access] = values
        mean[access] = (sum(values) + values[0]) / (len(values) + 1)  # scatter counts twice
    paper = 0.25 * mean["write"] + 0.25 * mean["rewrite"] + 0.5 * mean["read"]
    return paper, math.sqrt((sum(each["write"]) + each["rewrite"][0]) / 6 * mean["read"])


def b_eff_io(result):
    rounds = 1 + max(s.get("round", 0) for s in result["samples"])
    ratings = []
    for n in range(len(result["partitions"])):
        def part(key, k):
            return [x for x in result[key] if x["partition"] == n and x.get("round", 0) == k]
        each = [of_partition(result, part("samples", k), part("files", k)) for k in range(rounds)]
        ratings.append([logavg(values) for values in zip(*each)])
    return [max(values) for values in zip(*ratings)]  # the best partition


def figures(result):
    """The figures by name: the value in the document, and the value that follows from the samples."""
    derived = result["derived"]
    if result["benchmark"] == "b_eff":
        passes = range(max(1, result.get("passes", 1)))
        ratings = [b_eff(result, [s for s in result["samples"] if s.get("pass", 0) == k]) for k in passes]
        return {"b_eff": (derived["b_eff"], logavg(ratings))}
    paper, release = b_eff_io(result)
    rated = release if result["rules"] == "2.1" else paper
    return {"b_eff_io": (derived["b_eff_io"], rated), "b_eff_io by the paper": (derived["b_eff_io_paper"], paper),
            "b_eff_io by release 2.1": (derived["b_eff_io_2_1"], release)}


def main(paths):
    wrong = 0
    for path in paths:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
            result = json.load(file)
        for name, (stated, follows) in figures(result).items():
            right = abs(stated / follows - 1) <= 1e-9
            wrong += not right
            print(f"{path}: {name} {stated} {'follows' if right else f'DOES NOT FOLLOW: {follows}'}")
    return 1 if wrong or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
