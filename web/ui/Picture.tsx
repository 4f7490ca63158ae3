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
      if (source === null) return undefined
      if (typeof source === 'string') {
        image.src = source
        return undefined
      }
      const made = URL.createObjectURL(source)
      image.src = made
      return () => URL.revokeObjectURL(made)
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
  return <img ref={fill} alt={alt} onError={() => setFailed(source)} />
}
