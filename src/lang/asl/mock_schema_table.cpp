// Written by tools/make_mock_schemas.py from AWS's API models: what services answer. The grammar is in mock_schema.cpp.
#include "lang/asl/mock_schema_table.h"

namespace pawl::asl {

namespace {

constexpr MockSchema kSchemas[] = {
    MockSchema{
        "athena:getQueryExecution",
        "{QueryExecution:{QueryExecutionId:s1..128 Query:s1..262144 StatementType:s "
        "ManagedQueryResultsConfiguration:{Enabled!:b EncryptionConfiguration:{KmsKey!:s1..2048}} "
        "ResultConfiguration:{OutputLocation:s EncryptionConfiguration:{EncryptionOption!:s KmsKey:s} "
        "ExpectedBucketOwner:s12..12 AclConfiguration:{S3AclOption!:s}} "
        "ResultReuseConfiguration:{ResultReuseByAgeConfiguration:{Enabled!:b MaxAgeInMinutes:n0..10080}} "
        "QueryExecutionContext:{Database:s1..255 Catalog:s1..256} Status:{State:s StateChangeReason:s "
        "SubmissionDateTime:s CompletionDateTime:s AthenaError:{ErrorCategory:n1..3 ErrorType:n0..9999 Retryable:b "
        "ErrorMessage:s}} Statistics:{EngineExecutionTimeInMillis:n DataScannedInBytes:n DataManifestLocation:s "
        "TotalExecutionTimeInMillis:n QueryQueueTimeInMillis:n ServicePreProcessingTimeInMillis:n "
        "QueryPlanningTimeInMillis:n ServiceProcessingTimeInMillis:n ResultReuseInformation:{ReusedPreviousResult!:b} "
        "DpuCount:n} WorkGroup:s EngineVersion:{SelectedEngineVersion:s1..128 EffectiveEngineVersion:s1..128} "
        "ExecutionParameters:[s1..1024] SubstatementType:s "
        "QueryResultsS3AccessGrantsConfiguration:{EnableS3AccessGrants!:b CreateUserLevelPrefix:b "
        "AuthenticationType!:s}}}"},
    MockSchema{"athena:startQueryExecution", "{QueryExecutionId:s1..128}"},
    MockSchema{
        "aws-sdk:dynamodb:batchGetItem",
        "{Responses:<[<{S:s N:s B:s SS:[?] NS:[?] BS:[?] M:<?> L:[?] NULL:b BOOL:b}>]> UnprocessedKeys:<{Keys!:[<{S:? "
        "N:? B:? SS:? NS:? BS:? M:? L:? NULL:? BOOL:?}>] AttributesToGet:[s0..65535] ConsistentRead:b "
        "ProjectionExpression:s ExpressionAttributeNames:<s0..65535>}> ConsumedCapacity:[{TableName:s1..1024 "
        "CapacityUnits:n ReadCapacityUnits:n WriteCapacityUnits:n Table:{ReadCapacityUnits:n WriteCapacityUnits:n "
        "CapacityUnits:n} LocalSecondaryIndexes:<{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n}> "
        "GlobalSecondaryIndexes:<{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n}>}]}"},
    MockSchema{"aws-sdk:dynamodb:batchWriteItem",
               "{UnprocessedItems:<[{PutRequest:{Item!:<?>} DeleteRequest:{Key!:<?>}}]> "
               "ItemCollectionMetrics:<[{ItemCollectionKey:<{S:? N:? B:? SS:? NS:? BS:? M:? L:? NULL:? BOOL:?}> "
               "SizeEstimateRangeGB:[n]}]> ConsumedCapacity:[{TableName:s1..1024 CapacityUnits:n ReadCapacityUnits:n "
               "WriteCapacityUnits:n Table:{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n} "
               "LocalSecondaryIndexes:<{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n}> "
               "GlobalSecondaryIndexes:<{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n}>}]}"},
    MockSchema{
        "aws-sdk:dynamodb:deleteItem",
        "{Attributes:<{S:s N:s B:s SS:[s] NS:[s] BS:[s] M:<?> L:[?] NULL:b BOOL:b}> "
        "ConsumedCapacity:{TableName:s1..1024 CapacityUnits:n ReadCapacityUnits:n WriteCapacityUnits:n "
        "Table:{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n} LocalSecondaryIndexes:<{ReadCapacityUnits:n "
        "WriteCapacityUnits:n CapacityUnits:n}> GlobalSecondaryIndexes:<{ReadCapacityUnits:n WriteCapacityUnits:n "
        "CapacityUnits:n}>} ItemCollectionMetrics:{ItemCollectionKey:<{S:s N:s B:s SS:[s] NS:[s] BS:[s] M:<?> L:[?] "
        "NULL:b BOOL:b}> SizeEstimateRangeGB:[n]}}"},
    MockSchema{
        "aws-sdk:dynamodb:getItem",
        "{Item:<{S:s N:s B:s SS:[s] NS:[s] BS:[s] M:<?> L:[?] NULL:b BOOL:b}> ConsumedCapacity:{TableName:s1..1024 "
        "CapacityUnits:n ReadCapacityUnits:n WriteCapacityUnits:n Table:{ReadCapacityUnits:n WriteCapacityUnits:n "
        "CapacityUnits:n} LocalSecondaryIndexes:<{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n}> "
        "GlobalSecondaryIndexes:<{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n}>}}"},
    MockSchema{
        "aws-sdk:dynamodb:putItem",
        "{Attributes:<{S:s N:s B:s SS:[s] NS:[s] BS:[s] M:<?> L:[?] NULL:b BOOL:b}> "
        "ConsumedCapacity:{TableName:s1..1024 CapacityUnits:n ReadCapacityUnits:n WriteCapacityUnits:n "
        "Table:{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n} LocalSecondaryIndexes:<{ReadCapacityUnits:n "
        "WriteCapacityUnits:n CapacityUnits:n}> GlobalSecondaryIndexes:<{ReadCapacityUnits:n WriteCapacityUnits:n "
        "CapacityUnits:n}>} ItemCollectionMetrics:{ItemCollectionKey:<{S:s N:s B:s SS:[s] NS:[s] BS:[s] M:<?> L:[?] "
        "NULL:b BOOL:b}> SizeEstimateRangeGB:[n]}}"},
    MockSchema{"aws-sdk:dynamodb:query",
               "{Items:[<{S:s N:s B:s SS:[s] NS:[s] BS:[s] M:<?> L:[?] NULL:b BOOL:b}>] Count:n ScannedCount:n "
               "LastEvaluatedKey:<{S:s N:s B:s SS:[s] NS:[s] BS:[s] M:<?> L:[?] NULL:b BOOL:b}> "
               "ConsumedCapacity:{TableName:s1..1024 CapacityUnits:n ReadCapacityUnits:n WriteCapacityUnits:n "
               "Table:{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n} "
               "LocalSecondaryIndexes:<{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n}> "
               "GlobalSecondaryIndexes:<{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n}>}}"},
    MockSchema{"aws-sdk:dynamodb:scan",
               "{Items:[<{S:s N:s B:s SS:[s] NS:[s] BS:[s] M:<?> L:[?] NULL:b BOOL:b}>] Count:n ScannedCount:n "
               "LastEvaluatedKey:<{S:s N:s B:s SS:[s] NS:[s] BS:[s] M:<?> L:[?] NULL:b BOOL:b}> "
               "ConsumedCapacity:{TableName:s1..1024 CapacityUnits:n ReadCapacityUnits:n WriteCapacityUnits:n "
               "Table:{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n} "
               "LocalSecondaryIndexes:<{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n}> "
               "GlobalSecondaryIndexes:<{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n}>}}"},
    MockSchema{
        "aws-sdk:dynamodb:updateItem",
        "{Attributes:<{S:s N:s B:s SS:[s] NS:[s] BS:[s] M:<?> L:[?] NULL:b BOOL:b}> "
        "ConsumedCapacity:{TableName:s1..1024 CapacityUnits:n ReadCapacityUnits:n WriteCapacityUnits:n "
        "Table:{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n} LocalSecondaryIndexes:<{ReadCapacityUnits:n "
        "WriteCapacityUnits:n CapacityUnits:n}> GlobalSecondaryIndexes:<{ReadCapacityUnits:n WriteCapacityUnits:n "
        "CapacityUnits:n}>} ItemCollectionMetrics:{ItemCollectionKey:<{S:s N:s B:s SS:[s] NS:[s] BS:[s] M:<?> L:[?] "
        "NULL:b BOOL:b}> SizeEstimateRangeGB:[n]}}"},
    MockSchema{"aws-sdk:eventbridge:putEvents",
               "{FailedEntryCount:n Entries:[{EventId:s0..64 ErrorCode:s ErrorMessage:s}]}"},
    MockSchema{"aws-sdk:firehose:putRecord", "{RecordId!:s1.. Encrypted:b}"},
    MockSchema{"aws-sdk:kinesis:putRecord", "{ShardId!:s1..128 SequenceNumber!:s EncryptionType:s}"},
    MockSchema{"aws-sdk:kinesis:putRecords",
               "{FailedRecordCount:n1.. Records!:[{SequenceNumber:s ShardId:s1..128 ErrorCode:s ErrorMessage:s}] "
               "EncryptionType:s}"},
    MockSchema{"aws-sdk:kms:decrypt",
               "{KeyId:s1..2048 Plaintext:s1..4096 EncryptionAlgorithm:s CiphertextForRecipient:s1..6144 "
               "KeyMaterialId:s64..64}"},
    MockSchema{"aws-sdk:kms:encrypt", "{CiphertextBlob:s1..6144 KeyId:s1..2048 EncryptionAlgorithm:s}"},
    MockSchema{"aws-sdk:kms:generateDataKey",
               "{CiphertextBlob:s1..6144 Plaintext:s1..4096 KeyId:s1..2048 CiphertextForRecipient:s1..6144 "
               "KeyMaterialId:s64..64}"},
    MockSchema{"aws-sdk:kms:sign", "{KeyId:s1..2048 Signature:s1..6144 SigningAlgorithm:s}"},
    MockSchema{"aws-sdk:kms:verify", "{KeyId:s1..2048 SignatureValid:b SigningAlgorithm:s}"},
    MockSchema{
        "aws-sdk:lambda:getFunction",
        "{Configuration:{FunctionName:s1..256 FunctionArn:s0..10000 Runtime:s Role:s Handler:s0..128 CodeSize:n "
        "Description:s0..256 Timeout:n1.. MemorySize:n128..10240 LastModified:s CodeSha256:s Version:s1..1024 "
        "VpcConfig:{SubnetIds:[s] SecurityGroupIds:[s] VpcId:s Ipv6AllowedForDualStack:b} "
        "DeadLetterConfig:{TargetArn:s} Environment:{Variables:<s> Error:{ErrorCode:s Message:s}} KMSKeyArn:s "
        "TracingConfig:{Mode:s} MasterArn:s0..10000 RevisionId:s Layers:[{Arn:s1..140 CodeSize:n "
        "SigningProfileVersionArn:s SigningJobArn:s}] State:s StateReason:s StateReasonCode:s LastUpdateStatus:s "
        "LastUpdateStatusReason:s LastUpdateStatusReasonCode:s FileSystemConfigs:[{Arn!:s0..256 "
        "LocalMountPath!:s0..160}] PackageType:s ImageConfigResponse:{ImageConfig:{EntryPoint:[s] Command:[s] "
        "WorkingDirectory:s0..1000} Error:{ErrorCode:s Message:s}} SigningProfileVersionArn:s SigningJobArn:s "
        "Architectures:[s] EphemeralStorage:{Size!:n512..10240} SnapStart:{ApplyOn:s OptimizationStatus:s} "
        "RuntimeVersionConfig:{RuntimeVersionArn:s26..2048 Error:{ErrorCode:s Message:s}} LoggingConfig:{LogFormat:s "
        "ApplicationLogLevel:s SystemLogLevel:s LogGroup:s1..512} "
        "CapacityProviderConfig:{LambdaManagedInstancesCapacityProviderConfig!:{CapacityProviderArn!:s1..140 "
        "PerExecutionEnvironmentMaxConcurrency:n1..1600 ExecutionEnvironmentMemoryGiBPerVCpu:n2..8}} ConfigSha256:s "
        "DurableConfig:{RetentionPeriodInDays:n1..90 ExecutionTimeout:n1..31622400} "
        "TenancyConfig:{TenantIsolationMode!:s}} Code:{RepositoryType:s Location:s ImageUri:s ResolvedImageUri:s "
        "SourceKMSKeyArn:s} Tags:<s> TagsError:{ErrorCode!:s10..21 Message!:s84..1000} "
        "Concurrency:{ReservedConcurrentExecutions:n}}"},
    MockSchema{
        "aws-sdk:lambda:getFunctionConfiguration",
        "{FunctionName:s1..256 FunctionArn:s0..10000 Runtime:s Role:s Handler:s0..128 CodeSize:n Description:s0..256 "
        "Timeout:n1.. MemorySize:n128..10240 LastModified:s CodeSha256:s Version:s1..1024 VpcConfig:{SubnetIds:[s] "
        "SecurityGroupIds:[s] VpcId:s Ipv6AllowedForDualStack:b} DeadLetterConfig:{TargetArn:s} "
        "Environment:{Variables:<s> Error:{ErrorCode:s Message:s}} KMSKeyArn:s TracingConfig:{Mode:s} "
        "MasterArn:s0..10000 RevisionId:s Layers:[{Arn:s1..140 CodeSize:n SigningProfileVersionArn:s SigningJobArn:s}] "
        "State:s StateReason:s StateReasonCode:s LastUpdateStatus:s LastUpdateStatusReason:s "
        "LastUpdateStatusReasonCode:s FileSystemConfigs:[{Arn!:s0..256 LocalMountPath!:s0..160}] PackageType:s "
        "ImageConfigResponse:{ImageConfig:{EntryPoint:[s] Command:[s] WorkingDirectory:s0..1000} Error:{ErrorCode:s "
        "Message:s}} SigningProfileVersionArn:s SigningJobArn:s Architectures:[s] EphemeralStorage:{Size!:n512..10240} "
        "SnapStart:{ApplyOn:s OptimizationStatus:s} RuntimeVersionConfig:{RuntimeVersionArn:s26..2048 "
        "Error:{ErrorCode:s Message:s}} LoggingConfig:{LogFormat:s ApplicationLogLevel:s SystemLogLevel:s "
        "LogGroup:s1..512} "
        "CapacityProviderConfig:{LambdaManagedInstancesCapacityProviderConfig!:{CapacityProviderArn!:s1..140 "
        "PerExecutionEnvironmentMaxConcurrency:n1..1600 ExecutionEnvironmentMemoryGiBPerVCpu:n2..8}} ConfigSha256:s "
        "DurableConfig:{RetentionPeriodInDays:n1..90 ExecutionTimeout:n1..31622400} "
        "TenancyConfig:{TenantIsolationMode!:s}}"},
    MockSchema{
        "aws-sdk:lambda:invoke",
        "{StatusCode:n FunctionError:s LogResult:s Payload:s ExecutedVersion:s1..1024 DurableExecutionArn:s1..1024}"},
    MockSchema{
        "aws-sdk:lambda:listFunctions",
        "{NextMarker:s Functions:[{FunctionName:s1..256 FunctionArn:s0..10000 Runtime:s Role:s Handler:s0..128 "
        "CodeSize:n Description:s0..256 Timeout:n1.. MemorySize:n128..10240 LastModified:s CodeSha256:s "
        "Version:s1..1024 VpcConfig:{SubnetIds:[s] SecurityGroupIds:[s] VpcId:s Ipv6AllowedForDualStack:b} "
        "DeadLetterConfig:{TargetArn:s} Environment:{Variables:<s> Error:{ErrorCode:s Message:s}} KMSKeyArn:s "
        "TracingConfig:{Mode:s} MasterArn:s0..10000 RevisionId:s Layers:[{Arn:s1..140 CodeSize:n "
        "SigningProfileVersionArn:s SigningJobArn:s}] State:s StateReason:s StateReasonCode:s LastUpdateStatus:s "
        "LastUpdateStatusReason:s LastUpdateStatusReasonCode:s FileSystemConfigs:[{Arn!:s0..256 "
        "LocalMountPath!:s0..160}] PackageType:s ImageConfigResponse:{ImageConfig:{EntryPoint:[?] Command:[?] "
        "WorkingDirectory:s0..1000} Error:{ErrorCode:s Message:s}} SigningProfileVersionArn:s SigningJobArn:s "
        "Architectures:[s] EphemeralStorage:{Size!:n512..10240} SnapStart:{ApplyOn:s OptimizationStatus:s} "
        "RuntimeVersionConfig:{RuntimeVersionArn:s26..2048 Error:{ErrorCode:s Message:s}} LoggingConfig:{LogFormat:s "
        "ApplicationLogLevel:s SystemLogLevel:s LogGroup:s1..512} "
        "CapacityProviderConfig:{LambdaManagedInstancesCapacityProviderConfig!:{CapacityProviderArn!:s1..140 "
        "PerExecutionEnvironmentMaxConcurrency:n1..1600 ExecutionEnvironmentMemoryGiBPerVCpu:n2..8}} ConfigSha256:s "
        "DurableConfig:{RetentionPeriodInDays:n1..90 ExecutionTimeout:n1..31622400} "
        "TenancyConfig:{TenantIsolationMode!:s}}]}"},
    MockSchema{"aws-sdk:s3:copyObject",
               "{CopyObjectResult:{ETag:s LastModified:s ChecksumType:s ChecksumCRC32:s ChecksumCRC32C:s "
               "ChecksumCRC64NVME:s ChecksumSHA1:s ChecksumSHA256:s ChecksumSHA512:s ChecksumMD5:s ChecksumXXHASH64:s "
               "ChecksumXXHASH3:s ChecksumXXHASH128:s} Expiration:s CopySourceVersionId:s VersionId:s "
               "ServerSideEncryption:s SSECustomerAlgorithm:s SSECustomerKeyMD5:s SSEKMSKeyId:s "
               "SSEKMSEncryptionContext:s BucketKeyEnabled:b RequestCharged:s}"},
    MockSchema{"aws-sdk:s3:deleteObject", "{DeleteMarker:b VersionId:s RequestCharged:s}"},
    MockSchema{
        "aws-sdk:s3:getObject",
        "{Body:s DeleteMarker:b AcceptRanges:s Expiration:s Restore:s LastModified:s ContentLength:n ETag:s "
        "ChecksumCRC32:s ChecksumCRC32C:s ChecksumCRC64NVME:s ChecksumSHA1:s ChecksumSHA256:s ChecksumSHA512:s "
        "ChecksumMD5:s ChecksumXXHASH64:s ChecksumXXHASH3:s ChecksumXXHASH128:s ChecksumType:s MissingMeta:n "
        "VersionId:s CacheControl:s ContentDisposition:s ContentEncoding:s ContentLanguage:s ContentRange:s "
        "ContentType:s Expires:s WebsiteRedirectLocation:s ServerSideEncryption:s Metadata:<s> SSECustomerAlgorithm:s "
        "SSECustomerKeyMD5:s SSEKMSKeyId:s BucketKeyEnabled:b StorageClass:s RequestCharged:s ReplicationStatus:s "
        "PartsCount:n TagCount:n ObjectLockMode:s ObjectLockRetainUntilDate:s ObjectLockLegalHoldStatus:s}"},
    MockSchema{
        "aws-sdk:s3:headObject",
        "{DeleteMarker:b AcceptRanges:s Expiration:s Restore:s ArchiveStatus:s LastModified:s ContentLength:n "
        "ChecksumCRC32:s ChecksumCRC32C:s ChecksumCRC64NVME:s ChecksumSHA1:s ChecksumSHA256:s ChecksumSHA512:s "
        "ChecksumMD5:s ChecksumXXHASH64:s ChecksumXXHASH3:s ChecksumXXHASH128:s ChecksumType:s ETag:s MissingMeta:n "
        "VersionId:s CacheControl:s ContentDisposition:s ContentEncoding:s ContentLanguage:s ContentType:s "
        "ContentRange:s Expires:s WebsiteRedirectLocation:s ServerSideEncryption:s Metadata:<s> SSECustomerAlgorithm:s "
        "SSECustomerKeyMD5:s SSEKMSKeyId:s BucketKeyEnabled:b StorageClass:s RequestCharged:s ReplicationStatus:s "
        "PartsCount:n TagCount:n ObjectLockMode:s ObjectLockRetainUntilDate:s ObjectLockLegalHoldStatus:s}"},
    MockSchema{"aws-sdk:s3:listBuckets",
               "{Buckets:[{Name:s CreationDate:s BucketRegion:s BucketArn:s1..128}] Owner:{DisplayName:s ID:s} "
               "ContinuationToken:s Prefix:s}"},
    MockSchema{"aws-sdk:s3:listObjectsV2",
               "{IsTruncated:b Contents:[{Key:s1.. LastModified:s ETag:s ChecksumAlgorithm:[s] ChecksumType:s Size:n "
               "StorageClass:s Owner:{DisplayName:s ID:s} RestoreStatus:{IsRestoreInProgress:b RestoreExpiryDate:s}}] "
               "Name:s Prefix:s Delimiter:s MaxKeys:n CommonPrefixes:[{Prefix:s}] EncodingType:s KeyCount:n "
               "ContinuationToken:s NextContinuationToken:s StartAfter:s RequestCharged:s}"},
    MockSchema{
        "aws-sdk:s3:putObject",
        "{Expiration:s ETag:s ChecksumCRC32:s ChecksumCRC32C:s ChecksumCRC64NVME:s ChecksumSHA1:s ChecksumSHA256:s "
        "ChecksumSHA512:s ChecksumMD5:s ChecksumXXHASH64:s ChecksumXXHASH3:s ChecksumXXHASH128:s ChecksumType:s "
        "ServerSideEncryption:s VersionId:s SSECustomerAlgorithm:s SSECustomerKeyMD5:s SSEKMSKeyId:s "
        "SSEKMSEncryptionContext:s BucketKeyEnabled:b Size:n RequestCharged:s}"},
    MockSchema{"aws-sdk:secretsmanager:describeSecret",
               "{ARN:s20..2048 Name:s1..256 Type:s0..256 Description:s0..2048 KmsKeyId:s0..2048 RotationEnabled:b "
               "RotationLambdaARN:s0..2048 RotationRules:{AutomaticallyAfterDays:n1..1000 Duration:s2..3 "
               "ScheduleExpression:s1..256} ExternalSecretRotationMetadata:[{Key:s1..256 Value:s1..2048}] "
               "ExternalSecretRotationRoleArn:s20..2048 LastRotatedDate:s LastChangedDate:s LastAccessedDate:s "
               "DeletedDate:s NextRotationDate:s Tags:[{Key:s1..128 Value:s0..256}] VersionIdsToStages:<[s1..256]> "
               "OwningService:s1..128 CreatedDate:s PrimaryRegion:s1..128 ReplicationStatus:[{Region:s1..128 "
               "KmsKeyId:s0..2048 Status:s StatusMessage:s1..4096 LastAccessedDate:s}]}"},
    MockSchema{"aws-sdk:secretsmanager:getSecretValue",
               "{ARN:s20..2048 Name:s1..256 VersionId:s32..64 SecretBinary:s1..65536 SecretString:s1..65536 "
               "VersionStages:[s1..256] CreatedDate:s}"},
    MockSchema{"aws-sdk:secretsmanager:putSecretValue",
               "{ARN:s20..2048 Name:s1..256 VersionId:s32..64 VersionStages:[s1..256]}"},
    MockSchema{
        "aws-sdk:sfn:describeExecution",
        "{ExecutionArn!:s1..256 StateMachineArn!:s1..256 Name:s1..80 Status!:s StartDate!:s StopDate:s "
        "Input:s0..262144 InputDetails:{Included:b} Output:s0..262144 OutputDetails:{Included:b} TraceHeader:s0..256 "
        "MapRunArn:s1..2000 Error:s0..256 Cause:s0..32768 StateMachineVersionArn:s1..256 StateMachineAliasArn:s1..256 "
        "RedriveCount:n RedriveDate:s RedriveStatus:s RedriveStatusReason:s0..262144}"},
    MockSchema{"aws-sdk:sfn:listExecutions",
               "{Executions!:[{ExecutionArn!:s1..256 StateMachineArn!:s1..256 Name!:s1..80 Status!:s StartDate!:s "
               "StopDate:s MapRunArn:s1..2000 ItemCount:n StateMachineVersionArn:s1..256 StateMachineAliasArn:s1..256 "
               "RedriveCount:n RedriveDate:s}] NextToken:s1..3096}"},
    MockSchema{"aws-sdk:sfn:startExecution", "{ExecutionArn!:s1..256 StartDate!:s}"},
    MockSchema{
        "aws-sdk:sfn:startSyncExecution",
        "{ExecutionArn!:s1..256 StateMachineArn:s1..256 Name:s1..80 StartDate!:s StopDate!:s Status!:s Error:s0..256 "
        "Cause:s0..32768 Input:s0..262144 InputDetails:{Included:b} Output:s0..262144 OutputDetails:{Included:b} "
        "TraceHeader:s0..256 BillingDetails:{BilledMemoryUsedInMB:n BilledDurationInMilliseconds:n}}"},
    MockSchema{"aws-sdk:sfn:stopExecution", "{StopDate!:s}"},
    MockSchema{"aws-sdk:sns:publish", "{MessageId:s SequenceNumber:s}"},
    MockSchema{"aws-sdk:sns:publishBatch",
               "{Successful:[{Id:s MessageId:s SequenceNumber:s}] Failed:[{Id!:s Code!:s Message:s SenderFault!:b}]}"},
    MockSchema{"aws-sdk:sqs:getQueueUrl", "{QueueUrl:s}"},
    MockSchema{
        "aws-sdk:sqs:receiveMessage",
        "{Messages:[{MessageId:s ReceiptHandle:s MD5OfBody:s Body:s Attributes:<s> MD5OfMessageAttributes:s "
        "MessageAttributes:<{StringValue:s BinaryValue:s StringListValues:[?] BinaryListValues:[?] DataType!:s}>}]}"},
    MockSchema{
        "aws-sdk:sqs:sendMessage",
        "{MD5OfMessageBody:s MD5OfMessageAttributes:s MD5OfMessageSystemAttributes:s MessageId:s SequenceNumber:s}"},
    MockSchema{"aws-sdk:sqs:sendMessageBatch",
               "{Successful!:[{Id!:s MessageId!:s MD5OfMessageBody!:s MD5OfMessageAttributes:s "
               "MD5OfMessageSystemAttributes:s SequenceNumber:s}] Failed!:[{Id!:s SenderFault!:b Code!:s Message:s}]}"},
    MockSchema{"aws-sdk:ssm:getParameter",
               "{Parameter:{Name:s1..2048 Type:s Value:s Version:n Selector:s0..128 SourceResult:s LastModifiedDate:s "
               "ARN:s DataType:s0..128}}"},
    MockSchema{"aws-sdk:ssm:getParameters",
               "{Parameters:[{Name:s1..2048 Type:s Value:s Version:n Selector:s0..128 SourceResult:s "
               "LastModifiedDate:s ARN:s DataType:s0..128}] InvalidParameters:[s1..2048]}"},
    MockSchema{"aws-sdk:ssm:putParameter", "{Version:n Tier:s}"},
    MockSchema{"aws-sdk:ssm:sendCommand",
               "{Command:{CommandId:s36..36 DocumentName:s DocumentVersion:s Comment:s0..100 ExpiresAfter:s "
               "Parameters:<[s]> InstanceIds:[s] Targets:[{Key:s1..163 Values:[s]}] RequestedDateTime:s Status:s "
               "StatusDetails:s0..100 OutputS3Region:s3..20 OutputS3BucketName:s3..63 OutputS3KeyPrefix:s0..500 "
               "MaxConcurrency:s1..7 MaxErrors:s1..7 TargetCount:n CompletedCount:n ErrorCount:n "
               "DeliveryTimedOutCount:n ServiceRole:s NotificationConfig:{NotificationArn:s NotificationEvents:[s] "
               "NotificationType:s} CloudWatchOutputConfig:{CloudWatchLogGroupName:s1..512 CloudWatchOutputEnabled:b} "
               "TimeoutSeconds:n30..2592000 AlarmConfiguration:{IgnorePollAlarmFailure:b Alarms!:[{Name!:s1..255}]} "
               "TriggeredAlarms:[{Name!:s1..255 State!:s}]}}"},
    MockSchema{"aws-sdk:sts:assumeRole",
               "{Credentials:{AccessKeyId!:s16..128 SecretAccessKey!:s SessionToken!:s Expiration!:s} "
               "AssumedRoleUser:{AssumedRoleId!:s2..193 Arn!:s20..2048} PackedPolicySize:n SourceIdentity:s2..64}"},
    MockSchema{"aws-sdk:sts:getCallerIdentity", "{UserId:s Account:s Arn:s20..2048}"},
    MockSchema{"batch:submitJob", "{JobArn:s JobName!:s JobId!:s}"},
    MockSchema{"bedrock:invokeModel", "{Body!:? ContentType!:s PerformanceConfigLatency:s ServiceTier:s}"},
    MockSchema{
        "dynamodb:deleteItem",
        "{Attributes:<{S:s N:s B:s SS:[s] NS:[s] BS:[s] M:<?> L:[?] NULL:b BOOL:b}> "
        "ConsumedCapacity:{TableName:s1..1024 CapacityUnits:n ReadCapacityUnits:n WriteCapacityUnits:n "
        "Table:{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n} LocalSecondaryIndexes:<{ReadCapacityUnits:n "
        "WriteCapacityUnits:n CapacityUnits:n}> GlobalSecondaryIndexes:<{ReadCapacityUnits:n WriteCapacityUnits:n "
        "CapacityUnits:n}>} ItemCollectionMetrics:{ItemCollectionKey:<{S:s N:s B:s SS:[s] NS:[s] BS:[s] M:<?> L:[?] "
        "NULL:b BOOL:b}> SizeEstimateRangeGB:[n]}}"},
    MockSchema{
        "dynamodb:getItem",
        "{Item:<{S:s N:s B:s SS:[s] NS:[s] BS:[s] M:<?> L:[?] NULL:b BOOL:b}> ConsumedCapacity:{TableName:s1..1024 "
        "CapacityUnits:n ReadCapacityUnits:n WriteCapacityUnits:n Table:{ReadCapacityUnits:n WriteCapacityUnits:n "
        "CapacityUnits:n} LocalSecondaryIndexes:<{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n}> "
        "GlobalSecondaryIndexes:<{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n}>}}"},
    MockSchema{
        "dynamodb:putItem",
        "{Attributes:<{S:s N:s B:s SS:[s] NS:[s] BS:[s] M:<?> L:[?] NULL:b BOOL:b}> "
        "ConsumedCapacity:{TableName:s1..1024 CapacityUnits:n ReadCapacityUnits:n WriteCapacityUnits:n "
        "Table:{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n} LocalSecondaryIndexes:<{ReadCapacityUnits:n "
        "WriteCapacityUnits:n CapacityUnits:n}> GlobalSecondaryIndexes:<{ReadCapacityUnits:n WriteCapacityUnits:n "
        "CapacityUnits:n}>} ItemCollectionMetrics:{ItemCollectionKey:<{S:s N:s B:s SS:[s] NS:[s] BS:[s] M:<?> L:[?] "
        "NULL:b BOOL:b}> SizeEstimateRangeGB:[n]}}"},
    MockSchema{
        "dynamodb:updateItem",
        "{Attributes:<{S:s N:s B:s SS:[s] NS:[s] BS:[s] M:<?> L:[?] NULL:b BOOL:b}> "
        "ConsumedCapacity:{TableName:s1..1024 CapacityUnits:n ReadCapacityUnits:n WriteCapacityUnits:n "
        "Table:{ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n} LocalSecondaryIndexes:<{ReadCapacityUnits:n "
        "WriteCapacityUnits:n CapacityUnits:n}> GlobalSecondaryIndexes:<{ReadCapacityUnits:n WriteCapacityUnits:n "
        "CapacityUnits:n}>} ItemCollectionMetrics:{ItemCollectionKey:<{S:s N:s B:s SS:[s] NS:[s] BS:[s] M:<?> L:[?] "
        "NULL:b BOOL:b}> SizeEstimateRangeGB:[n]}}"},
    MockSchema{"events:putEvents", "{FailedEntryCount:n Entries:[{EventId:s0..64 ErrorCode:s ErrorMessage:s}]}"},
    MockSchema{"glue:startJobRun", "{JobRunId:s1..255}"},
    MockSchema{
        "lambda:invoke",
        "{StatusCode:n FunctionError:s LogResult:s Payload:? ExecutedVersion:s1..1024 DurableExecutionArn:s1..1024}"},
    MockSchema{"sns:publish", "{MessageId:s SequenceNumber:s}"},
    MockSchema{
        "sqs:sendMessage",
        "{MD5OfMessageBody:s MD5OfMessageAttributes:s MD5OfMessageSystemAttributes:s MessageId:s SequenceNumber:s}"},
    MockSchema{"states:startExecution", "{ExecutionArn!:s1..256 StartDate!:s}"},
    MockSchema{
        "states:startExecution.sync",
        "{ExecutionArn!:s1..256 StateMachineArn!:s1..256 Name:s1..80 Status!:s StartDate!:s StopDate:s "
        "Input:s0..262144 InputDetails:{Included:b} Output:s0..262144 OutputDetails:{Included:b} TraceHeader:s0..256 "
        "MapRunArn:s1..2000 Error:s0..256 Cause:s0..32768 StateMachineVersionArn:s1..256 StateMachineAliasArn:s1..256 "
        "RedriveCount:n RedriveDate:s RedriveStatus:s RedriveStatusReason:s0..262144}"},
    MockSchema{"states:startExecution.sync:2",
               "{ExecutionArn!:s1..256 StateMachineArn!:s1..256 Name:s1..80 Status!:s StartDate!:s StopDate:s Input:? "
               "InputDetails:{Included:b} Output:? OutputDetails:{Included:b} TraceHeader:s0..256 MapRunArn:s1..2000 "
               "Error:s0..256 Cause:s0..32768 StateMachineVersionArn:s1..256 StateMachineAliasArn:s1..256 "
               "RedriveCount:n RedriveDate:s RedriveStatus:s RedriveStatusReason:s0..262144}"},
};

}  // namespace

std::span<const MockSchema> mock_schemas() { return kSchemas; }

}  // namespace pawl::asl
