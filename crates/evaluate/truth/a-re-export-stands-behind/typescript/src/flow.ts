export { cumulativeFlow, type CumulativeFlow } from "./flow/diagram";
export { flowBand } from "./flow/band";
import { cumulativeFlow } from "./flow/diagram";
