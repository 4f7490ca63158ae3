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

/** Timeout of the full image, after which the thumbnail is shown first, so that guests see the code soon. */
const fullImagePatienceMs = 600
const imageTimeoutMs = 20_000

/** Decodes the images of a view model. Null when the photo or its code cannot be loaded. */
export async function loadView(model: LatestViewModel): Promise<LoadedView | null> {
  if (model.kind !== 'ready') {
    const thumbnail = model.thumb === null ? null : await loadImage(model.thumb, imageTimeoutMs)
    return { model, picture: thumbnail && model.thumb, isFull: false, images: thumbnail ? [thumbnail] : [] }
  }
  if (model.qrCode === null || model.full === null) return null
  const qrCodeLoading = loadImage(model.qrCode, imageTimeoutMs)
  const fullImage = await loadImage(model.full, model.thumb === null ? imageTimeoutMs : fullImagePatienceMs)
  const thumbnail = fullImage || model.thumb === null ? null : await loadImage(model.thumb, imageTimeoutMs)
  const picture = fullImage ? model.full : thumbnail && model.thumb
  const qrCode = await qrCodeLoading
  if (!qrCode || picture === null) return null
  return {
    model,
    picture,
    isFull: fullImage !== null,
    images: [qrCode, fullImage ?? thumbnail].filter((image) => image !== null),
  }
}

/** The same view with the full image; null when it is shown already or cannot be loaded. */
export async function loadFullImage(view: LoadedView): Promise<LoadedView | null> {
  const { full } = view.model
  if (view.isFull || full === null) return null
  const image = await loadImage(full, 6 * imageTimeoutMs)
  return image && { ...view, picture: full, isFull: true, images: [...view.images, image] }
}
