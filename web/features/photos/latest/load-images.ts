import { loadImage } from '../../../lib/load-image.ts'
import type { LatestViewModel } from './latest-view-model.ts'

/** A view model whose images are decoded. */
export interface LoadedView {
  model: LatestViewModel
  /** URL of the full image or of the thumbnail; null when neither can be shown. */
  picture: string | null
  /** `picture` is the full image. */
  isFull: boolean
  /** Kept so that the browser does not discard the decoded images. */
  images: readonly HTMLImageElement[]
}

/** How long the full image is awaited; then the thumbnail is shown first, so that guests see the code soon. */
const fullImagePatienceMs = 600
const timeoutMs = 20_000

/** Decodes the images of a view model. Null when the photo or its code cannot be loaded. */
export async function loadView(model: LatestViewModel): Promise<LoadedView | null> {
  if (model.kind !== 'ready') {
    const thumb = model.thumb === null ? null : await loadImage(model.thumb, timeoutMs)
    return { model, picture: thumb && model.thumb, isFull: false, images: thumb ? [thumb] : [] }
  }
  if (model.code === null || model.full === null) return null
  const codeLoading = loadImage(model.code, timeoutMs)
  const full = await loadImage(model.full, model.thumb === null ? timeoutMs : fullImagePatienceMs)
  const thumb = full || model.thumb === null ? null : await loadImage(model.thumb, timeoutMs)
  const picture = full ? model.full : thumb && model.thumb
  const code = await codeLoading
  if (!code || picture === null) return null
  return { model, picture, isFull: full !== null, images: [code, full ?? thumb].filter((image) => image !== null) }
}

/** The same view with the full image; null when it is shown already or cannot be loaded. */
export async function loadFullImage(view: LoadedView): Promise<LoadedView | null> {
  const { full } = view.model
  if (view.isFull || full === null) return null
  const image = await loadImage(full, 6 * timeoutMs)
  return image && { ...view, picture: full, isFull: true, images: [...view.images, image] }
}
