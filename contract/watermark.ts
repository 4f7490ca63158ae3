import { Literal, Union, type Static } from 'typebox'

/** How large the watermark is, from small to large. */
export const WatermarkSize = Union([Literal('small'), Literal('medium'), Literal('large')])
export type WatermarkSize = Static<typeof WatermarkSize>
/** Where the watermark is. */
export const WatermarkCorner = Union([
  Literal('top-left'),
  Literal('top-right'),
  Literal('center'),
  Literal('bottom-left'),
  Literal('bottom-right'),
])
export type WatermarkCorner = Static<typeof WatermarkCorner>
/** How opaque the watermark is. */
export const WatermarkStrength = Union([Literal('light'), Literal('medium'), Literal('strong')])
export type WatermarkStrength = Static<typeof WatermarkStrength>

/** How the logo is put on a photo. */
export interface WatermarkLayout {
  size: WatermarkSize
  corner: WatermarkCorner
  strength: WatermarkStrength
}
