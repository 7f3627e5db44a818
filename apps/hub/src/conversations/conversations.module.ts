import { Module } from '@nestjs/common';
import { RelaysModule } from '../relays/relays.module.js';
import { TellingModule } from '../telling/telling.module.js';
import { ChangeConversation } from './change-conversation.js';
import { ChangeMode } from './change-mode.js';
import { ConversationController, ConversationsController } from './conversations.controller.js';
import { OfferedModes } from './offered-modes.js';
import { OwnConversations } from './own-conversations.js';
import { StartConversation } from './start-conversation.js';

@Module({
  imports: [RelaysModule, TellingModule],
  controllers: [ConversationsController, ConversationController],
  providers: [ChangeConversation, ChangeMode, OfferedModes, OwnConversations, StartConversation],
  exports: [OfferedModes],
})
export class ConversationsModule {}
