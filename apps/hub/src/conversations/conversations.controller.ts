import { Body, Controller, Param, Query } from '@nestjs/common';
import { z } from 'zod';
import {
  ArchiveConversation,
  boardCursorOf,
  BoardQuery,
  ChangeMode as ChangeModeBody,
  ConversationId,
  EventsQuery,
  Grant,
  MessageId,
  RecentFoldersQuery,
  RenameConversation,
  ROUTES,
  SendMessage,
  StartConversation as StartBody,
  type BoardPage,
  type Conversation,
  type ConversationPage,
  type EventsPage,
  type RecentFolders,
} from '#contracts';
import { ConversationReads } from '#domain';
import { Caller } from '../identity/caller.js';
import type { KnownDevice } from '../identity/device-directory.js';
import { Serves } from '../platform/serves.js';
import { ChangeConversation } from './change-conversation.js';
import { ChangeMode } from './change-mode.js';
import { OwnConversations } from './own-conversations.js';
import { StartConversation } from './start-conversation.js';

const MessageOfConversation = z.object({ id: ConversationId, messageId: MessageId });
type MessageOfConversation = z.infer<typeof MessageOfConversation>;
const GrantOfConversation = z.object({ id: ConversationId, grantId: Grant.shape.id });
type GrantOfConversation = z.infer<typeof GrantOfConversation>;
const RECENT_FOLDERS = 20;

/** What a person reads of conversations. */
@Controller()
export class ConversationsController {
  constructor(
    private readonly reads: ConversationReads,
    private readonly own: OwnConversations,
    private readonly starting: StartConversation,
  ) {}

  @Serves(ROUTES.board)
  board(
    @Query({ schema: BoardQuery }) query: BoardQuery,
    @Caller() by: KnownDevice,
  ): Promise<BoardPage> {
    const after = boardCursorOf(query);
    return this.reads.board({
      personId: by.personId,
      archived: query.archived === 'true',
      limit: query.limit,
      ...(query.search === undefined ? {} : { search: query.search }),
      ...(after === undefined ? {} : { after }),
    });
  }

  @Serves(ROUTES.startConversation)
  start(
    @Body({ schema: StartBody }) body: StartBody,
    @Caller() by: KnownDevice,
  ): Promise<Conversation> {
    return this.starting.start(body, by);
  }

  @Serves(ROUTES.conversation)
  page(
    @Param('id', { schema: ConversationId }) id: ConversationId,
    @Caller() by: KnownDevice,
  ): Promise<ConversationPage> {
    return this.own.page(id, by);
  }

  @Serves(ROUTES.events)
  events(
    @Param('id', { schema: ConversationId }) id: ConversationId,
    @Query({ schema: EventsQuery }) query: EventsQuery,
    @Caller() by: KnownDevice,
  ): Promise<EventsPage> {
    return this.own.eventsBefore({ id, ...query, by });
  }

  @Serves(ROUTES.recentFolders)
  async recentFolders(
    @Query({ schema: RecentFoldersQuery }) { relayId }: RecentFoldersQuery,
    @Caller() by: KnownDevice,
  ): Promise<RecentFolders> {
    const folders = await this.reads.recentFolders(by.personId, relayId, RECENT_FOLDERS);
    return { folders: [...folders] };
  }
}

/** What a person does in one. */
@Controller()
export class ConversationController {
  constructor(
    private readonly changing: ChangeConversation,
    private readonly modes: ChangeMode,
  ) {}

  @Serves(ROUTES.sendMessage)
  send(
    @Param('id', { schema: ConversationId }) conversationId: ConversationId,
    @Body({ schema: SendMessage }) body: SendMessage,
    @Caller() by: KnownDevice,
  ): Promise<Conversation> {
    return this.changing.send({ conversationId, by }, body);
  }

  @Serves(ROUTES.cancelMessage)
  cancel(
    @Param({ schema: MessageOfConversation }) params: MessageOfConversation,
    @Caller() by: KnownDevice,
  ): Promise<Conversation> {
    return this.changing.cancelMessage({ conversationId: params.id, by }, params.messageId);
  }

  @Serves(ROUTES.stop)
  stop(
    @Param('id', { schema: ConversationId }) conversationId: ConversationId,
    @Caller() by: KnownDevice,
  ): Promise<Conversation> {
    return this.changing.stop({ conversationId, by });
  }

  @Serves(ROUTES.changeMode)
  changeMode(
    @Param('id', { schema: ConversationId }) conversationId: ConversationId,
    @Body({ schema: ChangeModeBody }) body: ChangeModeBody,
    @Caller() by: KnownDevice,
  ): Promise<Conversation> {
    return this.modes.change({ conversationId, by }, body);
  }

  @Serves(ROUTES.revokeGrant)
  revokeGrant(
    @Param({ schema: GrantOfConversation }) params: GrantOfConversation,
    @Caller() by: KnownDevice,
  ): Promise<Conversation> {
    return this.changing.revokeGrant({ conversationId: params.id, by }, params.grantId);
  }

  @Serves(ROUTES.renameConversation)
  rename(
    @Param('id', { schema: ConversationId }) conversationId: ConversationId,
    @Body({ schema: RenameConversation }) body: RenameConversation,
    @Caller() by: KnownDevice,
  ): Promise<Conversation> {
    return this.changing.rename({ conversationId, by }, body.title);
  }

  @Serves(ROUTES.archiveConversation)
  archive(
    @Param('id', { schema: ConversationId }) conversationId: ConversationId,
    @Body({ schema: ArchiveConversation }) body: ArchiveConversation,
    @Caller() by: KnownDevice,
  ): Promise<Conversation> {
    return this.changing.archive({ conversationId, by }, body.archived);
  }

  @Serves(ROUTES.deleteConversation)
  delete(
    @Param('id', { schema: ConversationId }) conversationId: ConversationId,
    @Caller() by: KnownDevice,
  ): Promise<void> {
    return this.changing.delete({ conversationId, by });
  }
}
