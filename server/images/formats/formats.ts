/**
 * What may be used outside of this folder: the limits of animations, detecting the format and size of a file from its first bytes, decoding HEIC
 * (which libvips cannot) into TIFF, listing the boxes of HEIF files, and checking SVG before it is rendered. Nothing here
 * trusts a file.
 */
export { animationLimits, exceedsAnimationLimits } from './animation-limits.ts'
export { decodeHeic } from './heic.ts'
export { boxesIn } from './heif-boxes.ts'
export { readPlanarTiff } from './planar-tiff.ts'
export { isSvg } from './svg.ts'
export { sniff, sniffBytes, type ImageFormat, type Sniffed } from './sniff.ts'
export { checkSvg, maxSvgBytes } from './svg.ts'
