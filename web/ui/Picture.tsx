import { ImageOff } from 'lucide-react'
import { useCallback, useState, type ReactNode } from 'react'

interface Props {
  /** A URL or the image itself; null if there is none. */
  source: string | Blob | null
  alt: string
  /** Shown if there is no image. */
  none: ReactNode
  /** Shown if the image cannot be loaded. */
  broken: string
}

/** An image, or a text if it is missing or cannot be loaded. */
export function Picture({ source, alt, none, broken }: Props) {
  const [failedSource, setFailedSource] = useState<Props['source']>(null)
  const setSource = useCallback(
    (image: HTMLImageElement) => {
      const url = source instanceof Blob ? URL.createObjectURL(source) : null
      if (url !== null) image.src = url
      // Always a function: without one, React would call this callback with null.
      return () => {
        if (url !== null) URL.revokeObjectURL(url)
      }
    },
    [source],
  )
  if (source === null) return <span className="picture__none small">{none}</span>
  if (failedSource === source) {
    return (
      <span className="picture__none small">
        <ImageOff className="icon" />
        <span>{broken}</span>
      </span>
    )
  }
  return (
    <img
      ref={setSource}
      {...(typeof source === 'string' && { src: source })}
      alt={alt}
      onError={() => setFailedSource(source)}
    />
  )
}
