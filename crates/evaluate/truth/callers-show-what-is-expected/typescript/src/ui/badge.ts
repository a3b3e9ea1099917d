import type { Card } from "../model/card";

const SIZES = { small: 12, large: 20 };

export function renderBadge(<CURSOR: src/ui/legend.ts:"return renderBadge">
