import { Mail } from 'lucide-react'
import type { EventGuestPage } from '@keepsnap/contract/rendering.ts'
import { endOfHour } from '@keepsnap/contract/photos.ts'
import { pages } from '@keepsnap/contract/site.ts'
import { eventEmails, eventGuests, eventOrder } from '../messages/en/event-guests.ts'
import { guest } from '../messages/en/guests.ts'
import { useFormat, useText } from '../lib/i18n.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { LogoMark } from '../ui/Logo.tsx'
import type { FormatDateTime } from './date-time.ts'
import { AddPhotos } from './AddPhotos.tsx'
import { AddressForm, AddressSent } from './AddressForm.tsx'
import { galleryHash } from './gallery-hash.ts'
import { GuestLayout, WideLink } from './GuestLayout.tsx'
import { ScannedPhotos } from './ScannedPhotos.tsx'

interface Props {
  page: EventGuestPage
  /** Both in the owner's time zone. */
  formatDateTime: FormatDateTime
  formatTime: FormatDateTime
  /** Of an evening, `yyyy-mm-dd`. */
  formatEvening: (day: string) => string
}

/** What the code of an event leads to: all of its photos, or why there are none now. */
export function EventPage(props: Props) {
  const { page } = props
  if (page.state === 'open') return <Gallery {...props} />
  if (page.state === 'off' && page.adding) return <AddingAlone page={page} />
  return <NoGallery {...props} />
}

/** Loaded at once; the others when they are near. */
const firstPhotos = 6

/** Rows as wide as the page, without any script. With it, new photos appear, and older ones as the guest scrolls. */
function Gallery({ page, formatDateTime, ...formats }: Props) {
  const text = useText({ eventGuests })
  const { path, photos, next, isNewest, timeZone, order } = page
  const ordered = order === 'taken' ? 'order=taken&' : ''
  const data = {
    'data-path': path,
    'data-zone': timeZone ?? '',
    'data-alt': text.photoAlt('{}'),
    ...(isNewest && { 'data-newest': '' }),
    ...(ordered && { 'data-order': ordered }),
  }
  return (
    <GuestLayout look="gallery" logo={page.logo} data={data} footer={<About {...page} />}>
      <Head page={page} />
      <ScannedPhotos event={page.mark} canEmail={!!page.emails} />
      {page.archive?.url && <Archive {...page.archive} url={page.archive.url} />}
      {page.archive?.url === null && <EmailForm page={page} also="archive" />}
      {page.hours.length > 0 && <Places page={page} {...formats} />}
      <div className="gallery__new" hidden data-new>
        <button type="button" className={buttonClass({ tone: 'primary' })}>
          {text.fresh}
        </button>
      </div>
      <output className="gallery__empty muted" hidden={photos.length > 0} data-empty>
        {isNewest ? text.empty : text.noMore}
      </output>
      <div data-photos>
        <ol className="gallery">
          {photos.map(({ token, width, height, shown_at, taken_at }, at) => (
            <li key={token}>
              <a href={`${path}/p/${token}`}>
                <img
                  src={`${path}/p/${token}/thumbnail`}
                  width={width ?? 3}
                  height={height ?? 2}
                  alt={text.photoAlt(formatDateTime(taken_at ?? shown_at, timeZone))}
                  loading={at < firstPhotos ? undefined : 'lazy'}
                />
              </a>
            </li>
          ))}
        </ol>
      </div>
      <div className="gallery__more" hidden={next === null} data-more>
        <a className={buttonClass({ tone: 'quiet', large: true })} href={`${path}?${ordered}before=${next ?? ''}`}>
          {text.more}
        </a>
      </div>
      {page.adding && <AddPhotos {...page} adding={page.adding} />}
    </GuestLayout>
  )
}

/** The event, and which photos these are. */
function Head({ page: { path, name, photos, isNewest, order } }: Pick<Props, 'page'>) {
  const text = useText({ eventGuests })
  const newestPath = order === 'taken' ? `${path}?order=taken` : path + galleryHash
  return (
    <header className="gallery__head">
      <h1 translate="no">{name}</h1>
      {!isNewest && (
        <p className="muted">
          <a href={newestPath}>{text.newest}</a>
        </p>
      )}
      {isNewest && photos.length > 0 && <p className="muted">{text.leads[order]}</p>}
    </header>
  )
}

/** In which order, and from which hour on: links, which work without any script. */
function Places({ page, formatTime, formatEvening }: Pick<Props, 'page' | 'formatTime' | 'formatEvening'>) {
  const text = useText({ eventOrder })
  const format = useFormat()
  const { path, order, hours, until, timeZone } = page
  const evenings = [...new Set(hours.map(({ evening }) => evening))]
  const prefix = order === 'taken' ? 'order=taken&' : ''
  return (
    <div className="gallery__places">
      <ul className="gallery__order" aria-label={text.label}>
        {eventOrders.map((one) => (
          <li key={one}>
            <a
              href={one === 'added' ? path + galleryHash : `${path}?order=${one}`}
              aria-current={one === order || undefined}
            >
              {text.orders[one]}
            </a>
          </li>
        ))}
      </ul>
      {hours.length > 1 && (
        <section className="gallery__hours" aria-label={text.hours}>
          {evenings.map((evening) => (
            <ol key={evening}>
              {evenings.length > 1 && (
                <li className="muted" translate="no">
                  {formatEvening(evening)}
                </li>
              )}
              {hours
                .filter((hour) => hour.evening === evening)
                .map((hour) => (
                  <li key={hour.at}>
                    <a
                      href={`${path}?${prefix}until=${endOfHour(hour)}`}
                      aria-current={endOfHour(hour) === until || undefined}
                      aria-label={text.hour(formatTime(hour.at, timeZone), hour.count, format.count(hour.count))}
                    >
                      <b translate="no">{formatTime(hour.at, timeZone)}</b> <span>{format.count(hour.count)}</span>
                    </a>
                  </li>
                ))}
            </ol>
          ))}
        </section>
      )}
    </div>
  )
}

const eventOrders = ['added', 'taken'] as const

/** Every photo in one file, whose size is said before. */
function Archive({ url, photos, bytes }: { url: string; photos: number; bytes: number }) {
  const text = useText({ eventGuests })
  const format = useFormat()
  return (
    <p className="gallery__archive">
      <a className={buttonClass({ tone: 'quiet' })} href={url} download>
        {text.archive(photos, format.count(photos), format.size(bytes))}
      </a>
    </p>
  )
}

/** Sends all photos to an address, or tells it when the gallery opens. */
function EmailForm({ page: { path, emails }, also }: Pick<Props, 'page'> & { also: 'archive' | 'tell_me' }) {
  const { everything, tell } = useText({ eventEmails })
  const sent = useText({ guest }).sent.heading
  const text = also === 'archive' ? { ...everything, sent } : tell
  if (!emails) return null
  const answer = emails.answer?.to === also ? emails.answer : null
  const { state, email, problem } = answer ?? { state: 'form' as const, email: '', problem: null }
  const call = `${path}/request-email`
  return (
    <details className="guest__actions gallery__form" open={answer !== null}>
      <summary className={buttonClass({ tone: 'quiet', block: true })}>
        <Mail className="icon" />
        {text.open}
      </summary>
      <AddressForm
        {...{ answer: state, email, problem, action: call, call, also }}
        heading={<h2>{text.heading}</h2>}
        send={text.send}
        consent={text.consent}
      />
      <AddressSent
        isShown={state === 'sent'}
        email={email}
        heading={<h2 tabIndex={-1}>{text.sent}</h2>}
        lead={text.lead}
        after={text.after}
        comesLater={also === 'tell_me'}
        path={path}
      />
    </details>
  )
}

/** Where guests add photos and see none. */
function AddingAlone({ page: { adding, ...page } }: Pick<Props, 'page'>) {
  return (
    <GuestLayout
      look="gallery"
      logo={page.logo}
      data={{ 'data-path': page.path, 'data-alone': '' }}
      footer={<About {...page} />}
    >
      {adding && <AddPhotos {...page} adding={adding} isAlone />}
      <ScannedPhotos event={page.mark} canEmail={!!page.emails} />
    </GuestLayout>
  )
}

/** Before the gallery opens, after the event, and without a gallery. */
function NoGallery({ page, formatDateTime, formatTime }: Omit<Props, 'formatEvening'>) {
  const { state, path, name, opensAt, timeZone, adding } = page
  const text = useText({ eventGuests })
  const home = useText({ guest }).gone.home
  const { heading, advice } = text[state === 'ended' ? 'ended' : 'off']
  return (
    <GuestLayout
      look="form"
      logo={page.logo}
      data={{ 'data-path': path, ...(opensAt && { 'data-opens': opensAt }) }}
      footer={adding && <About {...page} />}
    >
      <div className="guest__actions stack guest__message">
        <span className="guest__mark">
          <LogoMark />
        </span>
        {opensAt ? (
          <>
            {name !== null && (
              <p className="muted" translate="no">
                {name}
              </p>
            )}
            <h1>{text.opens(formatTime(opensAt, timeZone))}</h1>
            <p className="muted">
              <time dateTime={opensAt} translate="no">
                {formatDateTime(opensAt, timeZone)}
              </time>
            </p>
            <p className="muted">{text.comeBack}</p>
            <EmailForm page={page} also="tell_me" />
          </>
        ) : (
          <>
            <h1>{heading}</h1>
            {advice !== '' && <p className="muted">{advice}</p>}
          </>
        )}
        <ScannedPhotos event={page.mark} canEmail={!!page.emails} tellsOfGallery={opensAt !== null} />
        {!opensAt && <WideLink href={pages.home}>{home}</WideLink>}
      </div>
      {adding && <AddPhotos {...page} adding={adding} />}
    </GuestLayout>
  )
}

/** Who is responsible, and how to object. */
function About({ owner }: Pick<EventGuestPage, 'owner'>) {
  const text = useText({ eventGuests }).about
  return (
    <p className="gallery__about">
      {text.noFaces} {owner === null ? text.hosts : text.responsible(owner)} {text.report}{' '}
      <a href={pages.privacy}>{useText({ guest }).request.privacy}</a>
    </p>
  )
}
