import { Download, Share } from 'lucide-react'
import type { ReactNode } from 'react'
import type { GuestFile, GuestPage, GuestPageContext, GuestPhoto } from '@keepsnap/contract/rendering.ts'
import { pages } from '@keepsnap/contract/site.ts'
import { guest } from '../messages/en/guests.ts'
import { useFormat, useText } from '../lib/i18n.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { samples } from '../messages/en/frame.ts'
import { samplePictures } from '../pictures/samples.ts'
import { GalleryLink, GuestLayout, WideLink } from './GuestLayout.tsx'
import { Report } from './Report.tsx'
import { ScannedPhotos } from './ScannedPhotos.tsx'
import type { FormatDateTime } from './date-time.ts'
import type { PlaceholderSource } from './placeholder.ts'

type PhotoPageProps = Extract<GuestPage, { page: 'photo' }>
interface Props {
  page: PhotoPageProps
  placeholder: string
  frame: GuestPageContext
  /** Formats a time in the owner's time zone; the script replaces it with the device's. */
  formatDateTime: FormatDateTime
}

/** The photo and one big button: the page of a photo email's link and, on phones and tablets, of the direct QR code. */
export function GuestPhotoPage({ page, placeholder, frame, formatDateTime }: Props) {
  const { photo, file } = page
  // When the photo is ready, the URL of a direct code is the file itself, except on iOS; other pages reload.
  const whenReady = page.by === 'grant' || page.ios ? 'reload' : 'show'
  const scriptData = {
    'data-calls': photo.callsPath,
    'data-visit': page.by,
    ...(file === null && { 'data-wait': whenReady }),
    ...(file !== null && { 'data-full': file.inlineUrl, 'data-screen': file.screenUrl }),
    ...(file === null &&
      page.by === 'code' && { 'data-full': `${frame.path}?inline=1`, 'data-screen': `${frame.path}?screen=1` }),
  }
  return (
    <GuestLayout
      look="photo"
      logo={page.logo}
      data={scriptData}
      footer={<Report path={photo.callsPath} report={page.report} />}
    >
      <h1 className="visually-hidden">{useText({ guest }).yourPhoto}</h1>
      <GuestPrint photo={file === null ? { ...photo, thumbnailUrl: null } : photo} placeholder={placeholder} />
      {file === null ? (
        <DownloadWhenReady path={frame.path} />
      ) : (
        <SaveActions
          name={photo.filename}
          ios={page.ios}
          file={file}
          isAttachment
          details={<FileDetails bytes={file.bytes} page={page} formatDateTime={formatDateTime} />}
        />
      )}
      <GalleryLink path={page.galleryPath} />
      <ScannedPhotos {...page.kept} />
    </GuestLayout>
  )
}

/** Hidden until the script finds that the photo is processed. */
function DownloadWhenReady({ path }: { path: string }) {
  const text = useText({ guest }).save
  return (
    <div className="guest__actions" hidden data-download-when-ready>
      <WideLink tone="primary" href={`${path}?download=1`}>
        <Download className="icon" />
        {text.download}
      </WideLink>
      <SaveStatus />
    </div>
  )
}

/** What the script says about the tap on Save. */
const SaveStatus = () => <output className="guest__status tiny" data-in-app={useText({ guest }).save.nothingHappened} />

interface SaveProps {
  /** The name of the saved file. */
  name: string
  ios: boolean
  file: Pick<GuestFile, 'downloadUrl' | 'inlineUrl' | 'type'>
  /** Whether the server sends the file as an attachment with its name; that of a static file is only in the link. */
  isAttachment?: boolean
  details: ReactNode
}

/** One big button that saves the photo: with the share sheet on iOS, as a download elsewhere. */
function SaveActions({ name, ios, file, isAttachment = false, details }: SaveProps) {
  const text = useText({ guest }).save
  // With `download`, browsers would save a page that says why there is no photo any more, as if it were the photo.
  const link = { href: file.downloadUrl, ...(!isAttachment && { download: name }) }
  const iosSaveAttributes = ios && {
    'data-save': file.inlineUrl,
    'data-type': file.type,
    'data-name': name,
    'data-busy': text.fetching,
    'data-tap-again': text.tapAgain,
  }
  return (
    <div className="guest__actions">
      <WideLink tone="primary" {...link} {...iosSaveAttributes}>
        <Download className="icon" />
        <span data-label>{ios ? text.save : text.download}</span>
      </WideLink>
      <SaveStatus />
      <div className="guest__more">
        {ios ? (
          // The one button opens the share sheet already; this is for those who want the file itself.
          <a className="guest__plain-file" {...link}>
            {text.downloadFile}
          </a>
        ) : (
          <button type="button" className={buttonClass({ tone: 'ghost' })} hidden data-share>
            <Share className="icon" />
            {text.share}
          </button>
        )}
        {details}
      </div>
    </div>
  )
}

function FileDetails({
  bytes,
  page: { expiresAt, timeZone },
  formatDateTime,
}: Pick<Props, 'page' | 'formatDateTime'> & { bytes: number }) {
  const text = useText({ guest }).save
  const format = useFormat()
  return (
    <p className="tiny muted tabular-numbers">
      <span translate="no">{format.size(bytes)}</span>
      {expiresAt !== null && (
        <>
          {' · '}
          <span>{text.expires}</span>{' '}
          <time dateTime={expiresAt} translate="no">
            {formatDateTime(expiresAt, timeZone)}
          </time>
        </>
      )}
    </p>
  )
}

interface SamplePageProps {
  page: Extract<GuestPage, { page: 'sample' }>
  placeholderOf: (photo: PlaceholderSource) => string
}

/** A sample picture, with the same button as a guest's photo. */
export function SamplePage({ page: { name, ios }, placeholderOf }: SamplePageProps) {
  const text = useText({ guest })
  const description = useText({ samples })[name]
  const { full, width, height } = samplePictures[name]
  const photo = {
    callsPath: '',
    pagePath: '',
    formPath: '',
    filename: `keepsnap-${name}.webp`,
    thumbnailUrl: full,
    width,
    height,
    thumbhash: null,
  }
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

interface PrintProps {
  photo: GuestPhoto
  /** A data URL with the photo's aspect ratio and colours. */
  placeholder: string
  /** What the photo shows; otherwise a general text. */
  alt?: string
  /** Show the file name below the photo. */
  showName?: boolean
  /** A link for browsers without JavaScript, to check whether the photo is ready. */
  checkAgainPath?: string
}

/** The photo as a print; until it is processed, its placeholder and a message. */
export function GuestPrint({ photo, placeholder, alt, showName, checkAgainPath }: PrintProps) {
  const text = useText({ guest })
  const description = alt ?? text.yourPhoto
  const { thumbnailUrl, width, height } = photo
  return (
    <div className="guest__photo">
      <div className="print print--bare">
        <div className="print__photo" data-photo={description}>
          <img className="guest__placeholder" src={placeholder} alt="" />
          {thumbnailUrl === null ? (
            <output className="guest__wait" data-ready={text.wait.ready}>
              <span className="spin" aria-hidden="true" />
              <span>
                {text.wait.processing}
                <br />
                {text.wait.automatic}
              </span>
              {checkAgainPath !== undefined && (
                <noscript>
                  <a href={checkAgainPath}>{text.wait.checkAgain}</a>
                </noscript>
              )}
            </output>
          ) : (
            <img
              className="guest__picture"
              src={thumbnailUrl}
              alt={description}
              fetchPriority="high"
              {...(width && height && { width, height })}
            />
          )}
        </div>
        {showName && (
          <span className="print__name file-name" translate="no">
            {photo.filename}
          </span>
        )}
      </div>
    </div>
  )
}
