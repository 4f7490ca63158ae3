import type { GuestPage } from '@keepsnap/contract/guest.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import { useText } from '../lib/i18n.tsx'
import { guest } from '../messages/en/guest.ts'
import { samples } from '../messages/en/samples.ts'
import { samplePictures } from '../pictures/samples.ts'
import { GuestLayout } from './GuestLayout.tsx'
import { GuestPrint } from './GuestPrint.tsx'
import { SaveActions } from './GuestPhotoPage.tsx'
import type { PlaceholderSource } from './placeholder.ts'

interface Props {
  page: Extract<GuestPage, { page: 'sample' }>
  placeholderOf: (photo: PlaceholderSource) => string
}

/** A sample picture, with the same button as a guest's photo. */
export function SamplePage({ page: { name, ios }, placeholderOf }: Props) {
  const text = useText({ guest })
  const description = useText({ samples })[name]
  const { full, width, height } = samplePictures[name]
  const photo = { id: name, filename: `keepsnap-${name}.webp`, thumbnailUrl: full, width, height, thumbhash: null }
  const demoLink = (
    <a className="btn btn--ghost" href={pages.demoScreen}>
      {text.sample.demo}
    </a>
  )
  return (
    <GuestLayout look="photo" footer={demoLink}>
      <h1 className="visually-hidden">{text.titles.sample}</h1>
      <GuestPrint photo={photo} placeholder={placeholderOf(photo)} alt={description} />
      <SaveActions
        name={photo.filename}
        ios={ios}
        file={{ downloadUrl: full, inlineUrl: full, type: 'image/webp' }}
        details={<p className="tiny muted">{text.sample.note}</p>}
      />
    </GuestLayout>
  )
}
