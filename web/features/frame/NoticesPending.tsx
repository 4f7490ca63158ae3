/** While it is not known which notices stand above the page: see `NoticesOfUser`. */
export const NoticesPending = () => <span hidden data-notices-pending />
