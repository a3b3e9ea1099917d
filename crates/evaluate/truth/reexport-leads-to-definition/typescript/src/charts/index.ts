export { burndown, type BurndownPoint } from "./burndown";
export { cumulativeFlow } from "./cumulativeFlow";
export * from "./axis";
