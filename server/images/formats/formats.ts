/**
 * What may be used outside of this folder: the limits of animations, detecting the format and size of a file from its first bytes, decoding HEIC
 * (which libvips cannot) into TIFF, converting colours that a file names by numbers, listing the boxes of HEIF files, and
 * checking SVG before it is rendered. Nothing here trusts a file.
 */
export { animationLimits, exceedsAnimationLimits } from './animation-limits.ts'
export { decodeHeic } from './heic.ts'
export { boxesIn, brandsOf, readHeif } from './heif-boxes.ts'
export { coloursOfHeif, coloursOfPng, srgbConverter, wideSamples, type NamedColours } from './named-colours.ts'
export { readPlanarTiff } from './planar-tiff.ts'
export { isSvg } from './svg.ts'
export { writeTiff } from './tiff.ts'
export { sniff, sniffBytes, type ImageFormat, type Sniffed } from './sniff.ts'
export { checkSvg, maxSvgBytes } from './svg.ts'
export { isUnsupportedKind } from './unsupported-kinds.ts'
