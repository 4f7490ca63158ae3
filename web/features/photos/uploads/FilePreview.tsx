import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../../../lib/i18n.tsx'
import { upload } from '../../../messages/en/upload.ts'
import { fileTypeOf } from './accepted-file-types.ts'

interface Props {
  file: File
  /** URLs to try, best first. */
  sources: readonly string[]
  alt: string
  onSize?: (size: { width: number; height: number }) => void
  className?: string
}

/** A file's image, or the name of its type when the browser cannot decode it, as most cannot decode HEIC. */
export function FilePreview({ file, sources, alt, onSize, className = '' }: Props) {
  const text = useText({ upload }).singleUpload
  const [broken, setBroken] = useState<readonly string[]>([])
  const source = sources.find((url) => !broken.includes(url))
  if (source === undefined) {
    return (
      <span className={`${className} upload__no-preview`}>
        <ImageOff className="icon" />
        <span className="visually-hidden">{text.noPreview(fileTypeOf(file))}</span>
        <span className="tiny" aria-hidden="true" translate="no">
          {fileTypeOf(file)}
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
