import type { Photo } from '@keepsnap/contract/photos.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Check, Upload } from 'lucide-react'
import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type Dispatch,
  type RefObject,
  type SetStateAction,
} from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { BrandLogo } from '../features/branding/BrandLogo.tsx'
import { useRetryProcessing } from '../features/photos/mutations.ts'
import { GallerySkeleton } from '../features/photos/gallery/GallerySkeleton.tsx'
import { SelectionContext } from '../features/photos/gallery/EveningSelect.tsx'
import { SelectionBar } from '../features/photos/gallery/SelectionBar.tsx'
import {
  emptySelection,
  refreshed,
  selectRange,
  toggleSelected,
  withoutPhotos,
  type Loaded,
  type Selection,
} from '../features/photos/gallery/selection.ts'
import type { TileActions } from '../features/photos/gallery/PhotoTile.tsx'
import { PhotoGrid } from '../features/photos/gallery/PhotoGrid.tsx'
import { listQuery } from '../features/photos/queries.ts'
import { useLatestChange } from '../features/photos/latest/useLatestChange.ts'
import { RedirectToLogin } from '../features/session/guards.tsx'
import { isUnauthorized } from '../lib/api-errors.ts'
import { useCurrentUser } from '../lib/current-user.ts'
import { errorMessage } from '../lib/error-message.ts'
import { useFormat, useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { useApi, useMediaUrl, useSessionState } from '../lib/app-services.tsx'
import { galleryPhoto, photoIdIn, paths } from '../lib/paths.ts'
import { hasFailed } from '../lib/query-failure.ts'
import { keepScroll } from '../lib/scroll-restoration.ts'
import { gallery as messages } from '../messages/en/gallery.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { LoadFailed } from '../ui/LoadFailed.tsx'
import { Loading } from '../ui/Loading.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'
import { EmptyState } from '../ui/State.tsx'
import { useToast } from '../ui/Toasts.tsx'
import '../features/photos/gallery/gallery.css'

const Viewer = lazy(async () => ({ default: (await import('../features/photos/gallery/viewer/Viewer.tsx')).Viewer }))

/** All photos of the user, newest first. Without a session the request is refused, and the page redirects to sign-in. */
export function GalleryPage() {
  const text = useText({ gallery: messages })
  usePageTitle(text.title)
  const photoList = useInfiniteQuery(listQuery(useApi()))
  const photos = useMemo(() => photoList.data?.pages.flatMap((page) => page.photos), [photoList.data])
  const { token, endReason } = useSessionState()
  // A session that ends in another tab causes no request here, but its photos must disappear, too.
  const hasSignedOut = token === null && endReason !== null
  // The logo above the heading would push everything down.
  const isUserKnown = useCurrentUser().state !== 'loading'
  // While a sign-out waits for its response, the sign-in page would redirect back.
  const isRefused = token === null && isUnauthorized(photoList.error)
  const loadMore = (): void => void (!photoList.isFetching && photoList.fetchNextPage())
  if (hasSignedOut || isRefused) return <RedirectToLogin />
  if (!isUserKnown) return <Loading />
  return (
    <div className="wrap wrap--wide">
      {photos ? (
        <>
          <Gallery
            photos={photos}
            hasMore={photoList.hasNextPage}
            // After a failure, on request: a grid that is rendered again asks again.
            loadMore={photoList.isFetchNextPageError ? null : loadMore}
            retryMore={photoList.isFetchNextPageError ? loadMore : null}
          />
          {photoList.isFetchNextPageError && (
            <LoadFailed sentence={text.errors.load} busy={photoList.isFetching} onRetry={loadMore} />
          )}
        </>
      ) : (
        <>
          <header className="page-head">
            <div>
              <BrandLogo />
              <PageHeading>{text.heading}</PageHeading>
            </div>
          </header>
          {hasFailed(photoList) ? (
            <LoadFailed
              sentence={text.errors.load}
              busy={photoList.isFetching}
              onRetry={() => void photoList.refetch()}
            />
          ) : (
            <GallerySkeleton />
          )}
        </>
      )}
    </div>
  )
}

interface GalleryProps {
  photos: readonly Photo[]
  hasMore: boolean
  /** Null after a failure. */
  loadMore: (() => void) | null
  /** After a failure only. */
  retryMore: (() => void) | null
}

function Gallery({ photos, hasMore, loadMore, retryMore }: GalleryProps) {
  const text = useText({ gallery: messages })
  const format = useFormat()
  const [selection, setSelection] = useSelection({ photos, hasNewer: false, hasOlder: hasMore })
  const selectedIds = useMemo(() => selection && new Set(selection.photos.keys()), [selection])
  const selectionState = useMemo(() => ({ selection, setSelection }), [selection, setSelection])
  const heading = useRef<HTMLElement>(null)
  const isHeadingOut = useIsScrolledOut(heading)
  const total = useTotal(photos.length, hasMore)
  const viewer = useViewer()
  const actions = useTileActions(photos, setSelection)
  useNewPhotoToasts(photos[0] ?? null)
  const uploadLink = (
    <Link className={buttonClass({ tone: 'primary' })} to={paths.upload}>
      <Upload className="icon" />
      {text.upload}
    </Link>
  )
  return (
    <>
      <header ref={heading} className="page-head">
        <div>
          <BrandLogo />
          <PageHeading>{text.heading}</PageHeading>
          {photos.length > 0 && <p className="tabular-numbers">{text.count(total, format.count(total))}</p>}
        </div>
        {photos.length > 0 && (
          <div className="row">
            <Button aria-pressed={selection !== null} onClick={() => setSelection(selection ? null : emptySelection)}>
              <Check className="icon" />
              {selection ? text.select.stop : text.select.start}
            </Button>
            {uploadLink}
          </div>
        )}
      </header>
      {photos.length > 0 ? (
        <SelectionContext value={selectionState}>
          <PhotoGrid
            photos={photos}
            selected={selectedIds}
            actions={actions}
            loadMore={hasMore ? loadMore : null}
            reveal={viewer.lastViewed}
          />
        </SelectionContext>
      ) : (
        <div className="card">
          <EmptyState sentence={text.empty}>{uploadLink}</EmptyState>
        </div>
      )}
      {!selection && photos.length > 0 && isHeadingOut && (
        <div className="selection-start">
          <Button onClick={() => setSelection(emptySelection)}>
            <Check className="icon" />
            {text.select.start}
          </Button>
        </div>
      )}
      {selection && (
        <SelectionBar
          photos={Array.from(selection.photos.values())}
          onGone={(ids) => setSelection((now) => now && withoutPhotos(now, ids))}
          onDone={() => setSelection(null)}
        />
      )}
      {viewer.id !== null && (
        <Suspense>
          <Viewer
            id={viewer.id}
            photos={photos}
            total={total}
            loadMore={hasMore ? loadMore : null}
            retryMore={retryMore}
            onMove={viewer.move}
            onClose={viewer.close}
          />
        </Suspense>
      )}
    </>
  )
}

/** The selection, without photos that were deleted meanwhile. */
function useSelection({ photos, hasNewer, hasOlder }: Loaded): [Selection, Dispatch<SetStateAction<Selection>>] {
  const [selection, setSelection] = useState<Selection>(null)
  const current = useMemo(
    () => selection && refreshed(selection, { photos, hasNewer, hasOlder }),
    [selection, photos, hasNewer, hasOlder],
  )
  return [current, setSelection]
}

function subscribeToScrolling(onScroll: () => void): () => void {
  window.addEventListener('scroll', onScroll, { passive: true })
  return () => window.removeEventListener('scroll', onScroll)
}

/** Whether an element is above the visible part of the page. */
const useIsScrolledOut = (element: RefObject<HTMLElement | null>): boolean =>
  useSyncExternalStore(subscribeToScrolling, () => (element.current?.getBoundingClientRect().bottom ?? 1) < 0)

/** The number of all photos: of the loaded ones, or the account's count while there are more to load. */
function useTotal(loaded: number, hasMore: boolean): number {
  const { user } = useCurrentUser()
  return hasMore ? Math.max(loaded, user?.photo_count ?? 0) : loaded
}

function useTileActions(photos: readonly Photo[], setSelection: Dispatch<SetStateAction<Selection>>): TileActions {
  const text = useText({ gallery: messages })
  const toast = useToast()
  const { mutate } = useRetryProcessing()
  const loaded = useRef(photos)
  useEffect(() => {
    loaded.current = photos
  }, [photos])
  return useMemo(
    () => ({
      urlOf: galleryPhoto,
      toggle: (id) => setSelection((now) => toggleSelected(now ?? emptySelection, id, loaded.current)),
      selectTo: (id, from) =>
        setSelection((now) => {
          const start = now ?? emptySelection
          const hasAnchor = start.anchorId !== null || from === undefined
          return selectRange(hasAnchor ? start : toggleSelected(start, from, loaded.current), id, loaded.current)
        }),
      retry: (id) =>
        mutate(id, { onError: (error) => toast({ text: errorMessage(error, text.errors.retry), tone: 'bad' }) }),
    }),
    [setSelection, mutate, toast, text],
  )
}

/** Shows a toast for each new photo. */
function useNewPhotoToasts(newest: Photo | null): void {
  const text = useText({ gallery: messages })
  const toast = useToast()
  const media = useMediaUrl()
  useLatestChange(
    newest,
    useCallback(
      (change, { thumbnail_url }) => {
        const picture = thumbnail_url && media(thumbnail_url)
        if (change === 'received') toast({ text: text.received, ...(picture && { picture }) })
      },
      [text, toast, media],
    ),
  )
}

/** The viewer shows the photo that the URL names. */
function useViewer() {
  const id = photoIdIn(useSearchParams()[0])
  const { key, state } = useLocation()
  const navigate = useNavigate()
  const closedEntry = useRef<string>(null)
  useEffect(() => {
    if (id === null) closedEntry.current = null
  }, [id])
  const [lastViewed, setLastViewed] = useState<{ id: string } | null>(null)
  return {
    id,
    /** Null while the viewer is open. */
    lastViewed: id === null ? lastViewed : null,
    move: (next: string) => void navigate(galleryPhoto(next), { replace: true, state: state ?? keepScroll }),
    close(viewed: string) {
      // Going back is asynchronous: a second close, such as by pressing Escape twice, would leave the gallery.
      if (closedEntry.current === key) return
      closedEntry.current = key
      setLastViewed({ id: viewed })
      // Only a viewer that was opened from the gallery has the gallery before it in the history.
      if (state?.fromGallery) void navigate(-1)
      else void navigate(paths.gallery, { replace: true, state: keepScroll })
    },
  }
}
