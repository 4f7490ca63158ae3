/** Photos whose shorter side has fewer pixels go without a watermark; product.md section 5. */
export const leastMarkedPx = 400
