import { expect, test } from "vitest";

test("an empty filter matches every card", () => {
  <CURSOR: src/search/filter.ts:matches>
});
