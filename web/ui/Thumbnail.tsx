import { useMediaUrl } from '../lib/app-services.tsx'

/** The small picture of a photo; an empty place without one. */
export function Thumbnail({ url }: { url: string | null }) {
  const media = useMediaUrl()
  const source = url && media(url)
  return source ? (
    <img className="thumbnail" src={source} width="56" height="56" alt="" loading="lazy" decoding="async" />
  ) : (
    <span className="thumbnail thumbnail--none" />
  )
}
