import { ImageOff } from 'lucide-react'
import { useCallback, useState, type ReactNode } from 'react'

interface Props {
  /** An address, or the picture itself; null when there is none. */
  source: string | Blob | null
  alt: string
  /** What stands in its place when there is none. */
  none: ReactNode
  /** What is said when it cannot be shown. */
  broken: string
}

/** A picture that may be missing or broken: then words take its place. */
export function Picture({ source, alt, none, broken }: Props) {
  const [failed, setFailed] = useState<Props['source']>(null)
  const fill = useCallback(
    (image: HTMLImageElement) => {
      const address = source instanceof Blob ? URL.createObjectURL(source) : null
      if (address !== null) image.src = address
      // A function in every case: without one, React would call with null instead.
      return () => {
        if (address !== null) URL.revokeObjectURL(address)
      }
    },
    [source],
  )
  if (source === null) return <span className="picture__none small">{none}</span>
  if (failed === source) {
    return (
      <span className="picture__none small">
        <ImageOff className="i" />
        <span>{broken}</span>
      </span>
    )
  }
  return (
    <img ref={fill} {...(typeof source === 'string' && { src: source })} alt={alt} onError={() => setFailed(source)} />
  )
}
