/** How long messages and toasts are shown; docs/behaviour.md section 9. Not in `limits`, which the first page does not need. */
export const messageDurationMs = 3_000
