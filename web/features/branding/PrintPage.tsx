import type { User } from '@keepsnap/contract/accounts.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { type ComponentProps, useMemo } from 'react'
import { eventCodeImage } from '@keepsnap/contract/event-guests.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useSearchParams } from 'react-router'
import { PreviewSkeleton } from './Sheet.tsx'
import { type PrintedLogo, PrintKit } from './PrintKit.tsx'
import { photoStateOf, qrCodeUrlOf, svgUrlOf } from '../photos/photo-state.ts'
import { useChosenEvent, useGateOf } from '../events/events.ts'
import { photoQuery, recentQuery } from '../photos/photo-cache.ts'
import { ApiError } from '../../lib/api-errors.ts'
import { useApi, useCurrentUser, useMediaUrl } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { readableUrl } from '../../lib/urls.ts'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { galleryPhoto, paths, photoIdIn, printOfPhoto } from '../../lib/paths.ts'
import { usePlanStatus } from '../plans/plan-status.ts'
import { EmptyState, hasFailed, LoadFailed, useLastError } from '../../ui/QueryView.tsx'
import { printKit } from '../../messages/en/branding.ts'
import { eventPrint } from '../../messages/en/event-guests.ts'
import { SelectField } from '../../ui/Field.tsx'
import { eventCodesQuery, oneEventQuery } from '../events/codes.ts'
import { buttonClass } from '../../ui/Button.tsx'

/** A photo's code on paper: table cards and a poster. */
export function PrintPage() {
  const text = useText({ printKit })
  const ofEvent = useText({ eventPrint })
  usePageTitle(text.title)
  const [search] = useSearchParams()
  const [id, event] = [photoIdIn(search), search.get('event')]
  return (
    <div className="wrap">
      <header className="page-head">
        <div>
          <PageHeading>{text.title}</PageHeading>
          <p className="small">{event === null ? text.lead : ofEvent.lead}</p>
        </div>
      </header>
      {event !== null ? (
        <EventPrint id={event} code={search.get('code')} />
      ) : id === null ? (
        <NewestPhoto />
      ) : (
        <PhotoPrint key={id} id={id} />
      )}
    </div>
  )
}

/** Without a photo in the URL: redirects to the newest one with a code, so that a newer photo does not replace it. */
function NewestPhoto() {
  const text = useText({ printKit })
  const event = useChosenEvent()
  const query = useQuery({ ...recentQuery(useApi(), event ?? null), enabled: event !== undefined })
  const { data, isFetching, refetch } = query
  if (hasFailed(query))
    return <LoadFailed sentence={text.errors.photos} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <PrintSkeleton />
  const newest = data.find((photo) => photoStateOf(photo) === 'ready' && !photo.hidden) ?? data[0]
  if (newest)
    return (
      <>
        <PrintSkeleton />
        <Navigate to={printOfPhoto(newest.id)} replace />
      </>
    )
  return (
    <div className="card">
      <EmptyState sentence={text.empty}>
        <Link className={buttonClass({ tone: 'primary', large: true })} to={paths.upload}>
          {text.upload}
        </Link>
      </EmptyState>
    </div>
  )
}

/** The code of an event, or of one of its tables. */
function EventPrint({ id, code }: { id: string; code: string | null }) {
  const text = useText({ printKit })
  const words = useText({ eventPrint })
  const api = useApi()
  const media = useMediaUrl()
  const { user } = useCurrentUser()
  const [, setSearch] = useSearchParams()
  const [event, codes] = [useQuery(oneEventQuery(api, id)), useQuery(eventCodesQuery(api, id))]
  const error = useLastError(event)
  const chosen = codes.data?.find((one) => one.code === code) ?? codes.data?.[0]
  const url = chosen && media(eventCodeImage(chosen.url))
  if (error instanceof ApiError && error.status === 404)
    return <NotPrintable sentence={words.gone} action={text.gallery} to={paths.gallery} />
  if (!user || !codes.data || !chosen || !url || !event.data) {
    const failed = [event, codes].find(hasFailed)
    if (!failed) return <PrintSkeleton />
    return <LoadFailed sentence={words.failed} busy={failed.isFetching} onRetry={() => void failed.refetch()} />
  }
  const printed = { id: chosen.code, name: chosen.label || event.data.name, url: null, codeUrl: url, byEmail: false }
  const choices = codes.data.map(({ code: value, label }) => ({ value, label: label || words.own }))
  return (
    <>
      {choices.length > 1 && (
        <div className="print-kit__code">
          <SelectField
            label={words.code}
            value={chosen.code}
            choices={choices}
            onChange={({ target: { value } }) => setSearch({ event: id, code: value }, { replace: true })}
          />
        </div>
      )}
      <EventPrintKit photo={printed} event={event.data.name} table={chosen.label} user={user} />
    </>
  )
}

interface EventPrintKitProps {
  photo: ComponentProps<typeof PrintKit>['photo']
  event: string
  table: string
  user: User
}

function EventPrintKit({ photo, event, table, user }: EventPrintKitProps) {
  const { isPending, logo } = useLogo(user)
  // The object stays the same, so that nothing is drawn again without need.
  const names = useMemo(() => ({ event, table }), [event, table])
  const printed = { ...photo, event: names }
  return isPending ? <PrintSkeleton /> : <PrintKit photo={printed} logo={logo} onPhotoFailed={() => {}} />
}

const processingPollMs = 3_000

function PhotoPrint({ id }: { id: string }) {
  const text = useText({ printKit })
  const { user } = useCurrentUser()
  const query = useQuery({
    ...photoQuery(useApi(), id),
    refetchInterval: ({ state }) =>
      state.data && photoStateOf(state.data) === 'processing' ? processingPollMs : false,
  })
  const { data, isFetching, refetch } = query
  const error = useLastError(query)
  const isPhotoDeleted = error instanceof ApiError && error.status === 404
  if (isPhotoDeleted) return <NotPrintable sentence={text.deleted} action={text.gallery} to={paths.gallery} />
  if (error && !data)
    return <LoadFailed sentence={text.errors.photo} busy={isFetching} onRetry={() => void refetch()} />
  if (!data || !user) return <PrintSkeleton />
  return <PrintablePhoto photo={data} user={user} onPhotoFailed={() => void refetch()} />
}

/** The photo with its code, or why it has none. */
function PrintablePhoto({ photo, user, onPhotoFailed }: { photo: Photo; user: User; onPhotoFailed: () => void }) {
  const text = useText({ printKit })
  const media = useMediaUrl()
  const { isPending: isLogoUnknown, logo } = useLogo(user)
  const gate = useGateOf()(photo)
  const codeUrl = qrCodeUrlOf(photo, gate)
  const [url, svgUrl] = [photo.b2_url && media(photo.b2_url), codeUrl && media(svgUrlOf(codeUrl))]
  if (url && svgUrl) {
    const printed = {
      id: photo.id,
      name: photo.filename,
      url: readableUrl(url),
      codeUrl: svgUrl,
      byEmail: gate.ask_email_to_receive_photo,
    }
    // A switch for the logo would move what is below it.
    return isLogoUnknown ? <PrintSkeleton /> : <PrintKit photo={printed} logo={logo} onPhotoFailed={onPhotoFailed} />
  }
  const state = photoStateOf(photo)
  const sentence = photo.hidden && state === 'ready' ? text.hidden : state === 'failed' ? text.failed : text.processing
  return <NotPrintable sentence={sentence} action={text.open} to={galleryPhoto(photo.id)} />
}

/** `logo` is undefined unless the plan includes logos. `isPending` until the plan has loaded or failed to load. */
function useLogo({ logo_url, logo_grounds }: User): { isPending: boolean; logo: PrintedLogo | null | undefined } {
  const media = useMediaUrl()
  const query = usePlanStatus()
  const { data, isPending, failureCount } = query
  if (!data) return { isPending: isPending && failureCount === 0 && !hasFailed(query), logo: undefined }
  if (!data.plan.features.custom_branding) return { isPending: false, logo: undefined }
  const url = logo_url && media(logo_url)
  return { isPending: false, logo: url ? { url, ground: logo_grounds?.light ?? 'none' } : null }
}

function NotPrintable({ sentence, action, to }: { sentence: string; action: string; to: string }) {
  return (
    <output className="card state">
      <p>{sentence}</p>
      <Link className={buttonClass({})} to={to}>
        {action}
      </Link>
    </output>
  )
}

const PrintSkeleton = () => (
  <div className="print-kit">
    <span />
    <PreviewSkeleton />
  </div>
)
