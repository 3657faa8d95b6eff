/** The bookmark that sends the page a person looks at, on any site, to the field for links. */

/**
 * The address of the bookmark. It runs on other sites only: the content security policy stops it here. `origin`: of this site, as
 * people reach it.
 */
export const bookmarkletOf = (origin: string): string =>
  `javascript:void(location.href=${JSON.stringify(`${origin}/channels/new?url=`)}+encodeURIComponent(location.href))`

export const AddFromAnywhere = ({ origin }: { origin: string }) => (
  <section>
    <h2>Add from anywhere</h2>
    <p>
      Drag this link to the bookmarks of your browser. On the page of a video or a channel, click the bookmark, and
      Backlot opens with the link filled in.
    </p>
    <p class="actions">
      <a class="button plain" href={bookmarkletOf(origin)}>
        Add to Backlot
      </a>
    </p>
    <p>On a phone, install Backlot from the menu of the browser. Then share links to it from any app.</p>
  </section>
)
