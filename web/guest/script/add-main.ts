import { enhanceAddPhotos } from './add-photos.ts'
import { findElement } from './enhance.ts'

const main = findElement(document, 'main')
const root = findElement(document, '[data-add]')
if (main && root) enhanceAddPhotos(main, root)
