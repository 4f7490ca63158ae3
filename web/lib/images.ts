/** Loads and decodes an image, so that it can be shown without a flicker. Null when it cannot be, or not within `ms`. */
export async function decodedImage(address: string, ms: number): Promise<HTMLImageElement | null> {
  const image = new Image()
  image.src = address
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms)
  })
  const ready = image.decode().then(
    () => image,
    // Browsers refuse to decode very large images ahead of time, and show them all the same.
    () => (image.complete && image.naturalWidth > 0 ? image : null),
  )
  try {
    return await Promise.race([ready, late])
  } finally {
    clearTimeout(timer)
  }
}
