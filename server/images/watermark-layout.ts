/** Photos whose shorter side has fewer pixels get no watermark. */
export const minWatermarkedSidePx = 400

/** How large, where and how opaque the logo is on a photo. */
export interface WatermarkLayout {
  size: 'small' | 'medium' | 'large'
  corner: 'top-left' | 'top-right' | 'center' | 'bottom-left' | 'bottom-right'
  strength: 'light' | 'medium' | 'strong'
}
