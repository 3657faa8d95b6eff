// The transcript beside the player: follows the position, searches in the lines, and copies them. `player.js` handles the links to times.

function followTranscript(transcript) {
  const lines = () => transcript.querySelector('.lines')
  const partOf = name => transcript.querySelector(`[data-transcript="${name}"]`)

  // The lines arrive when the transcript opens. What only a script can do is hidden until then.
  let starts = []
  let is_following = true
  new MutationObserver(() => {
    if (!lines() || starts.length > 0) return
    starts = [...lines().children].map(line => Number(line.firstElementChild.dataset.seek))
    transcript.querySelector('.tools').hidden = false
    // Before there is a player, the address has the time, from a result of a search for instance.
    const named = Number(new URLSearchParams(location.search).get('t'))
    if (player()) show(player().currentTime)
    else if (named > 0) show(named)
  }).observe(transcript, { childList: true, subtree: true })

  // The line that is said now.

  let current
  const lineAt = seconds => {
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (starts[middle] <= seconds) low = middle + 1
      else high = middle
    }
    return lines().children[low - 1]
  }

  function show(seconds) {
    const line = lineAt(seconds)
    if (line === current) return
    current?.removeAttribute('aria-current')
    line?.setAttribute('aria-current', 'true')
    current = line
    if (is_following) scrollTo(line)
  }

  // Scrolls the pane and never the page.
  const scrollTo = line => {
    const list = lines()
    if (line) list.scrollTop = line.offsetTop - list.offsetTop - list.clientHeight / 3
  }

  const follow = is_on => {
    is_following = is_on
    partOf('follow').hidden = is_on || !player()
    if (is_on) scrollTo(current)
  }

  for (const name of ['timeupdate', 'seeked'])
    on(name, media => transcript.open && starts.length > 0 && show(media.currentTime))
  // A person scrolls with the wheel, a finger, the keys or the bar. All else that scrolls is this script.
  for (const name of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
    transcript.addEventListener(
      name,
      event => {
        const is_scrolling = event.type !== 'keydown' || /^(Arrow|Page|Home|End)/.test(event.key)
        const is_bar = event.type !== 'pointerdown' || event.target === lines()
        if (event.target.closest?.('.lines') && is_scrolling && is_bar) follow(false)
      },
      { passive: true },
    )

  // Search in the lines as one text, because a phrase can run over two of them. The first match from the current line on is chosen.

  let found = []
  let chosen = -1
  const say_found = words => {
    transcript.querySelector('[role=status]').textContent = words
  }

  function search(typed) {
    const words = lettersOf(typed).trim().replace(/\s+/g, ' ')
    const matches = words === '' || !lines() ? [] : matchesOf(words)
    found = [...new Set(matches.map(([first]) => first.line))]
    mark(matches.flat())
    choose(
      Math.max(0, current ? found.findIndex(line => line === current || current.compareDocumentPosition(line) & 4) : 0),
    )
    if (found.length === 0) say_found(words === '' ? '' : 'Not found.')
  }

  const lettersOf = text => folded(text).toLowerCase()

  // Of each match, its part in each line that it runs over.
  function matchesOf(words) {
    let whole = ''
    let before = ''
    const texts = [...lines().children].map(line => {
      const { firstChild: node } = line.lastElementChild.lastElementChild
      const text = lettersOf(node.data)
      whole += ends_unspaced.test(before) && begins_unspaced.test(text) ? '' : ' '
      before = text
      const start = whole.length
      whole += text
      return { line, node, start, end: whole.length }
    })
    const matches = []
    let first = 0
    for (let at = whole.indexOf(words); at >= 0; at = whole.indexOf(words, at + words.length)) {
      while (texts[first].end <= at) first++
      let last = first
      while (texts[last + 1]?.start < at + words.length) last++
      const parts = texts.slice(first, last + 1)
      matches.push(parts.map(part => ({ ...part, from: at - part.start, to: at + words.length - part.start })))
    }
    return matches
  }

  // Scripts without spaces between words, as in the search of all videos.
  const unspaced = '[\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Tibt}\\p{sc=Mymr}\\p{sc=Khmr}\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}]'
  const begins_unspaced = new RegExp(`^${unspaced}`, 'u')
  const ends_unspaced = new RegExp(`${unspaced}$`, 'u')

  // Marks without changing the lines, so that their text stays what a copy expects.
  function mark(parts) {
    if (!('highlights' in CSS)) return
    const ranges = parts.slice(0, 2000).flatMap(({ node, start, end, from, to }) => {
      // Lower case can be longer.
      if (folded(node.data).length !== end - start) return []
      const [first, last] = unfolded(node.data, Math.max(0, from), Math.min(end - start, to))
      const range = new Range()
      range.setStart(node, first)
      range.setEnd(node, last)
      return [range]
    })
    CSS.highlights.set('transcript', new Highlight(...ranges))
  }

  function choose(at) {
    found[chosen]?.classList.remove('chosen')
    for (const line of lines()?.querySelectorAll('.chosen') ?? []) line.classList.remove('chosen')
    chosen = found.length === 0 ? -1 : (at + found.length) % found.length
    const line = found[chosen]
    if (!line) return
    line.classList.add('chosen')
    follow(false)
    scrollTo(line)
    say_found(`${chosen + 1} of ${found.length}`)
  }

  transcript.addEventListener('input', event => event.target.matches('[type=search]') && search(event.target.value))
  transcript.addEventListener('keydown', event => {
    if (event.key !== 'Enter' || !event.target.matches('[type=search]')) return
    event.preventDefault()
    choose(chosen + (event.shiftKey ? -1 : 1))
  })

  const transcript_acts = {
    previous: () => choose(chosen - 1),
    next: () => choose(chosen + 1),
    follow: () => follow(true),
    copy: () =>
      copied([...lines().children].map(line => line.lastElementChild.lastElementChild.textContent).join('\n')).then(
        () => say_found('Copied.'),
        () => say_found('Your browser did not allow the copy.'),
      ),
  }
  transcript.addEventListener('click', event => {
    if (event.target.closest('[data-seek]')) follow(true)
    const name = event.target.closest('[data-transcript]')?.dataset.transcript
    if (Object.hasOwn(transcript_acts, name)) transcript_acts[name]()
  })

  // Browsers have a clipboard only over https and on localhost. Elsewhere a selected text is copied.
  async function copied(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text)
    const field = document.createElement('textarea')
    field.value = text
    field.className = 'copying'
    transcript.append(field)
    field.select()
    const is_done = document.execCommand('copy')
    field.remove()
    if (!is_done) throw new Error('not copied')
  }
}

// `player-file.js` calls it for a transcript that was read while the page was open.
for (const pane of document.querySelectorAll('details#transcript')) followTranscript(pane)
