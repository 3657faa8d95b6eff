/** The link to the page of what was deleted; nothing where nothing is kept. */
export const bin_path = '/bin'

export const RecentlyDeleted = ({ bin_hours }: { bin_hours: number }) =>
  bin_hours > 0 ? (
    <p class="quiet lead">
      <a href={bin_path}>Recently deleted</a>
    </p>
  ) : null
