/** Photos whose shorter side has fewer pixels get no watermark; docs/behaviour.md section 13. */
export const minWatermarkedSidePx = 400
