import type { User } from '@keepsnap/contract/accounts.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
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
import { buttonClass } from '../../ui/Button.tsx'

/** A photo's code on paper: table cards and a poster. */
export function PrintPage() {
  const text = useText({ printKit })
  usePageTitle(text.title)
  const [search] = useSearchParams()
  const id = photoIdIn(search)
  return (
    <div className="wrap">
      <header className="page-head">
        <div>
          <PageHeading>{text.title}</PageHeading>
          <p className="small">{text.lead}</p>
        </div>
      </header>
      {id === null ? <NewestPhoto /> : <PhotoPrint key={id} id={id} />}
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
