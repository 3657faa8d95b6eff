/**
 * Names the source of truth of every statement that writes rows of several people, or rows that belong to no person. What decides for
 * several people never comes from one person's row or words, so a new statement is added here by someone who can say where its truth
 * comes from.
 */
import { expect, it } from 'vitest'
import { type Node, nodesOf, type Source, sourcesIn } from './source.ts'

const truths = {
  'what the site answered at the very address that the rows have': [
    'across/captions.ts takeDueCaptions',
    'across/closed-videos.ts noteClosedVideo',
    'across/facts.ts storePart',
    'across/look-plans.ts takeLooks',
    'across/pictures.ts noteStored',
    'across/pictures.ts postponePictures',
    'across/pictures.ts takePictures',
    'queue/segments.ts segmentsStored',
  ],
  'what a visit to the feed, or to the list that the feed leads to, found': [
    'across/feeds.ts noteFailedFetches',
    'across/feeds.ts noteUnchanged',
    'across/listed-channels.ts describeChannel',
    'across/missing-videos.ts planMissing',
    'across/push-subscriptions.ts useHubs',
    'across/second-source.ts planListing',
    'across/second-source.ts postponeListing',
    'across/second-source.ts takeListing',
    'library/channel-writes.ts addChannels',
    'library/channel-writes.ts fillChannels',
    'library/channel-writes.ts insertChannels',
    'library/channel-writes.ts listChannels',
    'library/channel-writes.ts noteNoRoom',
    'library/channel-writes.ts updateChannels',
    'library/save-statement.ts saveStatement',
    'queue/known-feeds.ts noteFeeds',
    'queue/known-feeds.ts noteListed',
  ],
  'what a host answered at its root, or, with a person, what that person alone waits for': [
    'queue/host-checks.ts requestHostCheck',
    'queue/host-pauses.ts forgetRefusals',
    'queue/host-pauses.ts pauseHost',
  ],
  'what a hub that we subscribed to answered or signed': [
    'across/push-subscriptions.ts beginRequest',
    'across/push-subscriptions.ts endPush',
    'across/push-subscriptions.ts forgetPush',
    'across/push-subscriptions.ts noteCheck',
    'across/push-subscriptions.ts noteRefusedRequest',
    'queue/push-callbacks.ts pushCallbacksIn',
  ],
  'our own clock, queue, disk and tools, or the operator': [
    'across/bin.ts forgetExpiredChannels',
    'across/captions.ts queueCaptions',
    'across/feed-plans.ts forgetPlans',
    'across/feed-plans.ts planFetches',
    'across/feeds.ts forgetUnfollowedFeeds',
    'across/holds.ts forgetOldHolds',
    'across/holds.ts noteToolVersion',
    'across/media.ts noteGuarded',
    'across/media.ts noteMediaService',
    'across/operations.ts beatPools',
    'across/operations.ts beatWorker',
    'across/operations.ts forgetLostImports',
    'across/operations.ts forgetOldFailures',
    'across/operations.ts forgetWorkers',
    'across/operations.ts unlockDeadWorkers',
    'across/people.ts forgetOldResets',
    'across/people.ts revokeTokens',
    'across/picture-pass.ts continuePass',
    'across/picture-pass.ts deleteUnused',
    'across/push-plans.ts endUnfollowed',
    'across/push-plans.ts forgetPushes',
    'across/push-plans.ts requestWithNewCallbacks',
    'across/push-plans.ts restorePace',
    'across/tool-outcomes.ts forgetToolOutcomes',
    'queue/host-pauses.ts forgetOldPauses',
    'queue/host-pauses.ts liftPauses',
    'queue/segments.ts forgetOldSegments',
  ],
  'one person, whose own rows are the only ones that are written': [
    'across/look-plans.ts planLooks',
    'across/shared-files.ts noteWaiting',
    'across/tool-outcomes.ts noteToolOutcome',
    'queue/host-pauses.ts liftOwnPause',
    'queue/host-probes.ts beginProbe',
    'queue/host-probes.ts endProbe',
    'queue/move-first.ts moveFirst',
    'queue/picture-plans.ts planPictures',
    'queue/picture-wishes.ts first',
  ],
}

/** The rooms that work across people, and the one statement of a library that they use. */
const rooms = /^src\/db\/(across|queue)\/|^src\/db\/library\/(save-statement|channel-writes)\.ts$/

/** A line of a template that begins with a write, also as a part of `with`. */
const writes = /(?:`|^|\()\s*(?:insert into|delete from|update)\s+\w/m

const writersIn = (source: Source): string[] =>
  declarationsIn(source).flatMap(({ name, start, end }) =>
    writes.test(source.text.slice(start, end)) ? [`${source.path.replace('src/db/', '')} ${name}`] : [],
  )

function declarationsIn(source: Source): { name: string; start: number; end: number }[] {
  const [program] = nodesOf(source)
  return ((program?.body ?? []) as Node[]).flatMap(statement => {
    const declared = (statement.declaration ?? statement) as Node
    const named = (declared.declarations as Node[] | undefined)?.[0] ?? declared
    const name = (named.id as { name?: string } | undefined)?.name
    return name === undefined ? [] : [{ name, start: statement.start, end: statement.end }]
  })
}

it('every statement that writes for several people names the source of its truth', async () => {
  const sources = (await sourcesIn('src')).filter(({ path }) => rooms.test(path))
  expect(sources.flatMap(writersIn).toSorted()).toEqual(Object.values(truths).flat().toSorted())
})
