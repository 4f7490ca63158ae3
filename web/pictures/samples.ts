import type { SampleName } from '@keepsnap/contract/site.ts'
import balloonsThumbnail from './balloons-320.webp'
import balloons from './balloons-900.webp'
import dance from './dance-1200.webp'
import danceThumbnail from './dance-720.webp'
import familyThumbnail from './family-320.webp'
import family from './family-1200.webp'
import ringsThumbnail from './rings-320.webp'
import rings from './rings-1000.webp'
import table from './table-1200.webp'
import tableThumbnail from './table-720.webp'
import topper from './topper-1200.webp'
import topperThumbnail from './topper-720.webp'

/** The files of a sample picture, and its size in pixels. */
export interface SamplePicture {
  full: string
  thumbnail: string
  width: number
  height: number
}

/** The sample pictures with a page and a QR code of their own. */
export const samplePictures: Readonly<Record<SampleName, SamplePicture>> = {
  table: { full: table, thumbnail: tableThumbnail, width: 1200, height: 800 },
  topper: { full: topper, thumbnail: topperThumbnail, width: 1200, height: 800 },
  dance: { full: dance, thumbnail: danceThumbnail, width: 1200, height: 800 },
  balloons: { full: balloons, thumbnail: balloonsThumbnail, width: 900, height: 1125 },
  rings: { full: rings, thumbnail: ringsThumbnail, width: 1000, height: 1000 },
  family: { full: family, thumbnail: familyThumbnail, width: 1200, height: 800 },
}
