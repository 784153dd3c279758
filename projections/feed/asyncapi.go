package feed

import (
	"fmt"

	"chancery/domain/game"
	"chancery/events"
)

// object is an object of the AsyncAPI document. Its keys are written in order.
type object = map[string]any

// AsyncAPI is the description of the stream FEED as AsyncAPI 3.0 (asyncapi.com): one
// channel, a message for every version of every event, whose data is described by the
// schemas beside the document, in the folder schemas.
func AsyncAPI() map[string]any {
	messages, refs := object{}, object{}
	for _, t := range events.Types() {
		name := fmt.Sprintf("%s.v%d", t.Name, t.Version)
		messages[name] = message(t, name)
		refs[name] = object{"$ref": "#/components/messages/" + name}
	}
	return object{
		"asyncapi": "3.0.0",
		"info": object{
			"title": "Chancery feed", "version": "1.0.0",
			"description": "The public events of all games, one a message, as CloudEvents 1.0 in the binary mode of NATS. Every message is sent at least once and in the order of its game; one that is sent again is the same to the last byte and has the same id. Nothing in them is hidden from anybody.",
			"license":     object{"name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
		},
		"defaultContentType": "application/json",
		"servers": object{"nats": object{
			"host": "localhost:4222", "protocol": "nats",
			"description": "chancery serve --nats-listen localhost:4222, or the NATS servers that hold the ledger.",
		}},
		"channels":   object{"feed": channel(refs)},
		"operations": object{"sendEvent": object{"action": "send", "channel": object{"$ref": "#/channels/feed"}, "summary": "The server tells of an event; consumers read the JetStream stream FEED."}},
		"components": object{"messages": messages, "messageTraits": object{"cloudevent": trait()}},
	}
}

func channel(messages object) object {
	var variants []string
	for _, v := range game.Variants() {
		variants = append(variants, v.Key)
	}
	return object{
		"address":     "feed.{variant}.{type}.{game}",
		"title":       "Public events",
		"description": "The subjects of the JetStream stream FEED.",
		"messages":    messages,
		"parameters": object{
			"variant": object{"description": "The variant of the game; an underscore for games of the ledger itself, which nobody plays.", "examples": variants},
			"type":    object{"description": "The type of the event, without its version.", "examples": []string{"MovePlayed"}},
			"game":    object{"description": "The id of the game."},
		},
	}
}

func message(t events.Type, name string) object {
	return object{
		"name": "chancery." + name, "title": fmt.Sprintf("%s, version %d", t.Name, t.Version), "contentType": "application/json",
		"traits": []any{object{"$ref": "#/components/messageTraits/cloudevent"}},
		"payload": object{
			"schemaFormat": "application/schema+json;version=draft-07",
			"schema":       object{"$ref": "./schemas/" + name + ".json"},
		},
	}
}

// meanings say what the attributes of [Event.Attributes] mean.
var meanings = map[string]string{
	"specversion": "The version of CloudEvents.",
	"id":          "game/record/index: names the event for ever.",
	"source":      "/games/ and the id of the game.",
	"type":        "chancery.TYPE.vVERSION; the schema of the data is schemas/TYPE.vVERSION.json.",
	"time":        "When the record was made, in UTC.",
	"sequence":    "Ascends within a game, as a text.",
	"variant":     "The variant of the game, as in the subject.",
	"record":      "Number of the record within the game, from 0.",
	"index":       "Place of the event within its record, from 0.",
	"of":          "How many events the record has. Behind the last of them comes index 0 of the next record: so a consumer sees what is missing.",
	"position":    "Position of the record in the ledger.",
}

// trait is what all messages have in their headers.
func trait() object {
	properties := object{"ce-datacontenttype": object{"type": "string", "const": "application/json"}}
	required := []string{"ce-datacontenttype"}
	for _, a := range (Event{}).Attributes() {
		properties["ce-"+a.Name] = object{"type": "string", "description": meanings[a.Name]}
		required = append(required, "ce-"+a.Name)
	}
	return object{
		"contentType":   "application/json",
		"headers":       object{"type": "object", "properties": properties, "required": required},
		"correlationId": object{"description": "The game.", "location": "$message.header#/ce-source"},
	}
}
