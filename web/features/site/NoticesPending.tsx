/** Marks that the notices above the page are still loading: see `UserNotices`. */
export const NoticesPending = () => <span hidden data-notices-pending />
