import { Download, Share } from 'lucide-react'
import type { GuestFile, GuestFrame, GuestPage } from '@keepsnap/contract/guest.ts'
import { buttonClass } from '../ui/Button.tsx'
import { guest } from '../messages/en/guest.ts'
import { useFormat, useText } from '../lib/i18n.tsx'
import { Frame } from './Frame.tsx'
import { GuestPrint } from './GuestPrint.tsx'
import { Report } from './Report.tsx'

type PhotoOnly = Extract<GuestPage, { page: 'photo' }>
interface Props {
  page: PhotoOnly
  likeness: string
  frame: GuestFrame
  /** Writes a moment in UTC; the script says it again in the phone's zone. */
  until: (iso: string) => string
}

/** The photo and one big button, behind a letter's link or, on iOS, the direct code. */
export function PhotoPage({ page, likeness, frame, until }: Props) {
  const { photo, file } = page
  // A letter's link and iOS get the next page from the server; elsewhere the code's address is the file itself.
  const afterwards = page.by === 'grant' || page.ios ? 'reload' : 'show'
  const data = {
    'data-id': photo.id,
    ...(file === null && { 'data-wait': afterwards }),
    ...(file !== null && { 'data-full': file.inlineUrl }),
  }
  return (
    <Frame look="photo" logo={page.logo} data={data} foot={<Report id={photo.id} report={page.report} />}>
      <h1 className="sr">{useText({ guest }).yourPhoto}</h1>
      <GuestPrint photo={file === null ? { ...photo, thumbnailUrl: null } : photo} likeness={likeness} />
      {file === null ? <Later path={frame.path} name={photo.filename} /> : <Save {...{ page, file, until }} />}
    </Frame>
  )
}

/** Shown by the script when a photo that was waited for is there. */
function Later({ path, name }: { path: string; name: string }) {
  const text = useText({ guest }).save
  return (
    <div className="guest__do" hidden data-later>
      <a
        className={buttonClass({ tone: 'primary', large: true, block: true })}
        href={`${path}?download=1`}
        download={name}
      >
        <Download className="i" />
        {text.download}
      </a>
    </div>
  )
}

function Save({ page, file, until }: { page: PhotoOnly; file: GuestFile; until: Props['until'] }) {
  const text = useText({ guest }).save
  const name = page.photo.filename
  const saving = page.ios && {
    'data-save': file.inlineUrl,
    'data-type': file.type,
    'data-busy': text.getting,
    'data-ready': text.ready,
  }
  return (
    <div className="guest__do">
      <a
        className={buttonClass({ tone: 'primary', large: true, block: true })}
        href={file.downloadUrl}
        download={name}
        {...saving}
      >
        <Download className="i" />
        <span data-label>{page.ios ? text.save : text.download}</span>
      </a>
      {page.ios && <output className="guest__say tiny" />}
      <div className="guest__more">
        <button type="button" className={buttonClass({ tone: 'ghost' })} hidden data-share>
          <Share className="i" />
          {text.share}
        </button>
        {page.ios && (
          <a className={buttonClass({ tone: 'ghost' })} href={file.downloadUrl} download={name}>
            {text.plain}
          </a>
        )}
        <Facts bytes={file.bytes} expiresAt={page.expiresAt} until={until} />
      </div>
    </div>
  )
}

function Facts({ bytes, expiresAt, until }: { bytes: number; expiresAt: string | null; until: Props['until'] }) {
  const text = useText({ guest }).save
  const [number, unit] = useFormat().size(bytes).split(' ')
  return (
    <p className="tiny muted num">
      <span translate="no">
        <span data-number>{number}</span> {unit}
      </span>
      {expiresAt !== null && (
        <>
          {' · '}
          <span>{text.until}</span>{' '}
          <time dateTime={expiresAt} translate="no">
            {until(expiresAt)}
          </time>
        </>
      )}
    </p>
  )
}
