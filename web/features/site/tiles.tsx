import type { ReactNode } from 'react'
import { Download } from 'lucide-react'
import { plans } from '@keepsnap/contract/plans.ts'
import { useText } from '../../lib/i18n.tsx'
import { useSampleCodeUrl } from '../../lib/app-services.tsx'
import balloons from '../../pictures/balloons-320.webp'
import bouquetSmall from '../../pictures/bouquet-320.webp'
import bouquet from '../../pictures/bouquet-640.webp'
import cake from '../../pictures/cake-320.webp'
import dance from '../../pictures/dance-720.webp'
import disco from '../../pictures/disco-320.webp'
import family from '../../pictures/family-320.webp'
import garden from '../../pictures/garden-320.webp'
import rings from '../../pictures/rings-320.webp'
import sparkler from '../../pictures/sparkler-320.webp'
import toast from '../../pictures/toast-320.webp'
import { home } from '../../messages/en/site.ts'

/** What a feature looks like, above its name and a sentence. */
export function Tile({ title, text, art }: { title: string; text: string; art: ReactNode }) {
  return (
    <li className="tile">
      <div className="tile__art" aria-hidden="true">
        {art}
      </div>
      <h3>{title}</h3>
      <p>{text}</p>
    </li>
  )
}

export function BigScreenArt({ line }: { line: string }) {
  const codeUrl = useSampleCodeUrl()('dance')
  return (
    <div className="tile-big-screen">
      <span className="tile-big-screen__back" style={{ backgroundImage: `url(${dance})` }} />
      <img src={dance} width="720" height="480" alt="" loading="lazy" />
      <span className="tile-qr-code">
        <b>{line}</b>
        <img src={codeUrl} alt="" width="41" height="41" loading="lazy" />
      </span>
    </div>
  )
}

export function PhoneArt({ src, button }: { src: string; button: string }) {
  return (
    <div className="tile-phone">
      <img src={src} width="720" height="480" alt="" loading="lazy" />
      <span className="btn btn--primary">
        <Download className="icon" />
        {button}
      </span>
    </div>
  )
}

export function BrandArt() {
  return (
    <div className="tile-brand">
      <img src={bouquet} width="640" height="800" alt="" loading="lazy" />
      <span className="tile-brand__logo" translate="no">
        <b>Fotohuis</b>Verstraete
      </span>
    </div>
  )
}

/** Photos and their aspect ratios, row by row. */
const galleryPhotos = [
  [balloons, 0.8],
  [family, 1.5],
  [cake, 0.667],
  [garden, 1.778],
  [sparkler, 0.667],
  [rings, 1],
  [disco, 1.5],
  [toast, 1.5],
  [bouquetSmall, 0.8],
] as const

export function GalleryArt() {
  return (
    <div className="tile-gallery">
      {galleryPhotos.map(([src, ratio]) => (
        <span key={src} style={{ flex: `${ratio} 1 ${ratio * 5.4}rem`, aspectRatio: ratio }}>
          <img src={src} alt="" loading="lazy" />
        </span>
      ))}
    </div>
  )
}

export function BoothArt() {
  const text = useText({ home }).tiles.booth
  const limit = plans.pro_yearly.features.max_photos
  const used = 412
  return (
    <div className="tile-booth">
      <code translate="no">
        POST /api/upload
        <br />
        <span>X-API-Key: ksnap_••••</span>
      </code>
      <div className="usage usage--ok">
        <div className="usage__top">
          <b>{text.usage}</b>
          <span>{text.used(used, limit)}</span>
        </div>
        <div className="usage__bar">
          <i style={{ width: `${(used / limit) * 100}%` }} />
        </div>
      </div>
    </div>
  )
}
