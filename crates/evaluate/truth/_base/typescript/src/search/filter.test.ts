import { expect, test } from "vitest";

import { newCard } from "../model/card";
import { matches, parseFilter } from "./filter";

test("labels and people are told from words", () => {
  expect(parseFilter("Fix login label:bug @ann")).toEqual({
    words: ["fix", "login"],
    label: "bug",
    assignee: "ann",
  });
});

test("all words must be there", () => {
  const card = newCard("1", "Fix the login page");
  expect(matches(card, parseFilter("login fix"))).toBe(true);
  expect(matches(card, parseFilter("logout"))).toBe(false);
});
