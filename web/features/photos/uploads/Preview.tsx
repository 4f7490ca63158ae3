import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../../../lib/i18n.tsx'
import { upload } from '../../../messages/en/upload.ts'
import { kindOf } from './accept.ts'

interface Props {
  file: File
  /** Addresses to try, best first. */
  sources: readonly string[]
  alt: string
  onSize?: (size: { width: number; height: number }) => void
  className?: string
}

/** A file's picture, or its kind where the browser cannot draw it, as with most HEIC. */
export function Preview({ file, sources, alt, onSize, className = '' }: Props) {
  const text = useText({ upload }).one
  const [broken, setBroken] = useState<readonly string[]>([])
  const source = sources.find((address) => !broken.includes(address))
  if (source === undefined) {
    return (
      <span className={`${className} up__blank`}>
        <ImageOff className="i" />
        <span className="sr">{text.noPreview(kindOf(file))}</span>
        <span className="tiny" aria-hidden="true" translate="no">
          {kindOf(file)}
        </span>
      </span>
    )
  }
  return (
    <img
      className={className}
      src={source}
      alt={alt}
      loading="lazy"
      decoding="async"
      onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => onSize?.({ width, height })}
      onError={() => setBroken([...broken, source])}
    />
  )
}
