/** Loads and decodes an image, so that it appears without a flicker. Null if that fails or takes longer than `timeoutMs`. */
export async function loadImage(url: string, timeoutMs: number): Promise<HTMLImageElement | null> {
  const image = new Image()
  image.src = url
  let timeoutTimer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<null>((resolve) => {
    timeoutTimer = setTimeout(() => resolve(null), timeoutMs)
  })
  const decoded = image.decode().then(
    () => image,
    // Browsers refuse to decode very large images in advance, but they can show them.
    () => (image.complete && image.naturalWidth > 0 ? image : null),
  )
  try {
    return await Promise.race([decoded, timeout])
  } finally {
    clearTimeout(timeoutTimer)
  }
}
