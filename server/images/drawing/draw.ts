import sharp, { type OutputInfo, type OverlayOptions, type Sharp } from 'sharp'
import { svgOf, type Layer, type Size } from './canvas.ts'
import { palettes, type PaletteName } from './palettes.ts'
import { createRandom } from './random.ts'
import { scenes, type SceneName } from './scenes.ts'

export { drawLogo } from './logo.ts'
export { paletteNames } from './palettes.ts'
export { sceneNames, type SceneName } from './scenes.ts'

// Several pictures are drawn at the same time: threads within each would only wait for each other.
sharp.concurrency(1)

/** One photo of a party that did not happen. */
export interface PartyPhoto {
  seed: number
  scene: SceneName
  palette: PaletteName
  size: Size
}

/** Raw pixels. */
interface Pixels {
  data: Buffer
  info: OutputInfo
}

/** A picture is composed at this part of its size, then enlarged: a lens wide open is not sharper. Only the grain is finer. */
const composedScale = 0.62
const grainSize = 256

const rawOf = ({ width, height, channels }: OutputInfo) => ({ width, height, channels })
const open = ({ data, info }: Pixels) => sharp(data, { raw: rawOf(info) })
const layerOf = ({ data, info }: Pixels, blend: NonNullable<Layer['blend']>): OverlayOptions => ({
  input: data,
  raw: rawOf(info),
  blend,
})

/** A blurred layer needs no more pixels than its smallest detail. */
const scaleOf = (blur: number): number => (blur < 2 ? 1 : blur < 5 ? 0.5 : 0.25)

/** Draws a layer of a picture, in the size in which that is composed. */
async function drawLayer(layer: Layer, size: Size, composed: Size): Promise<OverlayOptions> {
  const { blur = 0, blend = 'over' } = layer
  const scale = composedScale * scaleOf(blur)
  const sigma = blur * scale
  const drawn = sharp(svgOf(layer, size, scale))
  const small = await (sigma >= 0.3 ? drawn.blur(sigma) : drawn).raw().toBuffer({ resolveWithObject: true })
  if (small.info.width === composed.width && small.info.height === composed.height) return layerOf(small, blend)
  const enlarged = await open(small)
    .resize(composed.width, composed.height, { kernel: 'linear', fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return layerOf(enlarged, blend)
}

/** Light that spreads in the lens: what is bright, blurred. */
async function bloomOf(picture: Pixels): Promise<OverlayOptions> {
  const { width, height } = picture.info
  const bright = await open(picture)
    .resize(Math.max(8, Math.round(width / 5)), Math.max(8, Math.round(height / 5)), { fit: 'fill' })
    .linear(0.85, -58)
    .blur(9)
    .raw()
    .toBuffer({ resolveWithObject: true })
  const bloom = await open(bright)
    .resize(width, height, { kernel: 'linear', fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return layerOf(bloom, 'screen')
}

const vignette: Layer = {
  definitions: `<radialGradient id="corners" r=".78"><stop offset=".42" stop-opacity="0"/><stop offset="1" stop-opacity=".56"/></radialGradient>`,
  shapes: `<rect width="100%" height="100%" fill="url(#corners)"/>`,
  blur: 6,
}

/** A little more saturation; much faster than by hue and chroma. */
const moreColour: Parameters<Sharp['recomb']>[0] = [
  [1.06, -0.04, -0.02],
  [-0.02, 1.04, -0.02],
  [-0.02, -0.04, 1.06],
]

/** The grain of a sensitive film, the same for all photos. */
let grain: Promise<Buffer> | undefined
const grainTile = (): Promise<Buffer> =>
  (grain ??= sharp({
    create: {
      width: grainSize,
      height: grainSize,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 8 },
    },
  })
    .greyscale()
    .png({ compressionLevel: 0 })
    .toBuffer())

/** Adds what lens and film do, and enlarges the picture. */
async function applyLensEffects(picture: Pixels, size: Size, composed: Size): Promise<Buffer> {
  const lit = await open(picture)
    .composite([await bloomOf(picture), await drawLayer(vignette, size, composed)])
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const enlarged = await open(lit)
    .recomb(moreColour)
    .resize(size.width, size.height, { kernel: 'linear', fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const isLarge = Math.min(size.width, size.height) >= grainSize
  return open(enlarged)
    .composite(isLarge ? [{ input: await grainTile(), blend: 'overlay', tile: true }] : [])
    .removeAlpha()
    .jpeg({ quality: 86 })
    .toBuffer()
}

/** Draws a photo; the same description gives the same picture. Resolves with a JPEG. */
export async function drawPartyPhoto({ seed, scene, palette, size }: PartyPhoto): Promise<Buffer> {
  const scenery = { random: createRandom(seed), palette: palettes[palette], size }
  const composed = {
    width: Math.round(size.width * composedScale),
    height: Math.round(size.height * composedScale),
  }
  const layers: OverlayOptions[] = []
  for (const layer of scenes[scene](scenery)) layers.push(await drawLayer(layer, size, composed))
  const picture = await sharp({ create: { ...composed, channels: 3, background: '#000' } })
    .composite(layers)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return applyLensEffects(picture, size, composed)
}

/** A picture without people, for the screen of a venue. */
export const drawBackground = (): Promise<Buffer> =>
  drawPartyPhoto({ seed: 77, scene: 'lights', palette: 'amber', size: { width: 2000, height: 1334 } })
